//! PostgreSQL loses the answer to a commit, or crashes under load: the gateway's answers stay correct.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use checkout_test_postgres::{Server, sql};
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};

use super::World;
use crate::fixture::{Look as _, Place};

/// A proxy between the gateway and its server, which can drop the answers to commits.
struct Wire {
    folder: TempDir,
    losses: Arc<AtomicUsize>,
}

impl Wire {
    fn to(server: &Server) -> Self {
        let target = folder_of(server.url()).join(".s.PGSQL.5432");
        let folder = tempfile::tempdir().unwrap();
        let losses = Arc::new(AtomicUsize::new(0));
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).unwrap();
        let left = Arc::clone(&losses);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (target, left) = (target.clone(), Arc::clone(&left));
                tokio::spawn(async move { drop(pass(client, &target, &left).await) });
            }
        });
        Self { folder, losses }
    }

    fn url(&self) -> String {
        format!("postgres://postgres@localhost/postgres?host={}", self.folder.path().display())
    }

    /// Drops the answers to the next commits.
    fn lose(&self, count: usize) {
        self.losses.store(count, Ordering::SeqCst);
    }
}

fn folder_of(url: &str) -> PathBuf {
    PathBuf::from(url.split_once("host=").unwrap().1)
}

async fn pass(mut client: UnixStream, target: &Path, losses: &AtomicUsize) -> std::io::Result<()> {
    let mut server = UnixStream::connect(target).await?;
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut asked) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                server.write_all(&asked[..read]).await?;
                let is_commit = asked[..read].windows(7).any(|bytes| bytes == b"COMMIT\0");
                let lose = |left: usize| left.checked_sub(1);
                if is_commit && losses.fetch_update(Ordering::SeqCst, Ordering::SeqCst, lose).is_ok() {
                    let _lost = server.read(&mut answered).await?;
                    return Ok(());
                }
            }
            read = server.read(&mut answered) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                client.write_all(&answered[..read]).await?;
            }
        }
    }
}

/// A payment, a withdrawal and an address whose commits succeeded are answered as successful, although the commits'
/// answers were lost.
#[tokio::test]
async fn the_gateway_looks_up_the_outcome_of_a_lost_commit() {
    let server = Server::start();
    let wire = Wire::to(&server);
    let place = Place::Postgres(wire.url());
    let business = Settings { settlement_crypto: Some(Some(Currency::Btc)), ..Settings::default() };
    let world = World::at(place, business).await;
    wire.lose(1);
    let created = world.create(json!({"clientPaymentId": "lost"})).await;
    assert_eq!(created.status.as_u16(), 201, "{}", created.json);
    assert_eq!(world.database.count("SELECT COUNT(*) FROM payments").await, 1);
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let read = world.get(&path, &created.session_token()).await;
    assert_eq!(read.status.as_u16(), 200, "its session was stored with it");

    world.deposit("rich", "1000.00").await;
    wire.lose(1);
    let body = json!({
        "clientWithdrawalId": "w-1", "recipientAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "withdrawCurrency": "ETH", "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "0.02",
        "withdrawalAccount": "FIAT",
    });
    let made = world.post("/api/v1/withdrawals", &world.token, &body).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.json);
    assert_eq!(world.post("/api/v1/withdrawals", &world.token, &body).await.status.as_u16(), 200);
    assert_eq!(world.database.count("SELECT COUNT(*) FROM withdrawals").await, 1);

    wire.lose(1);
    let body = json!({
        "clientAddressId": "a-1", "currency": "ETH", "network": "ETH", "label": "till",
        "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    });
    let added = world.post("/whitelist-addresses", &world.token, &body).await;
    assert_eq!(added.status.as_u16(), 201, "{}", added.json);
    assert_eq!(world.post("/whitelist-addresses", &world.token, &body).await.json, added.json);
    assert_eq!(world.database.count("SELECT COUNT(*) FROM whitelisted_addresses").await, 1);
}

/// If the look-up fails too, the error reports an unknown outcome, and repeating the request is safe.
#[tokio::test]
async fn an_unknown_outcome_is_reported() {
    let server = Server::start();
    let wire = Wire::to(&server);
    let world = World::at(Place::Postgres(wire.url()), Settings::default()).await;
    wire.lose(2);
    let lost = world.create(json!({})).await;
    assert_eq!((lost.status.as_u16(), &lost.json["code"]), (503, &json!("outcome_unknown")), "{}", lost.json);
    assert!(lost.json["detail"].as_str().unwrap().contains("safe under the same id"), "{}", lost.json);
    let again = world.create(json!({})).await;
    assert_eq!(again.status.as_u16(), 200, "it had been stored");
    let path = format!("/api/v1/payments/{}", again.payment_id());
    wire.lose(1);
    let patched = world.patch(&path, &again.session_token(), &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(patched.json["code"], "outcome_unknown", "{}", patched.json);
    let patched = world.patch(&path, &again.session_token(), &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(patched.json["paymentInfo"]["status"], "PENDING", "{}", patched.json);
}

/// The server crashes three times while eight merchants post. A payment answered with 201 is stored; one
/// answered with "nothing was changed" is not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_are_correct_when_the_database_restarts_under_load() {
    let server = Server::start();
    let url = server.url().to_owned();
    let world = Arc::new(World::at(Place::Postgres(url.clone()), Settings::default()).await);
    let posted = Arc::new(AtomicUsize::new(0));
    let merchants: Vec<_> = (0..8)
        .map(|merchant| {
            let (world, posted) = (Arc::clone(&world), Arc::clone(&posted));
            tokio::spawn(async move {
                let mut answers = Vec::new();
                for number in 0..60 {
                    let order = format!("order-{merchant}-{number}");
                    let answer = world.create(json!({"clientPaymentId": order})).await;
                    posted.fetch_add(1, Ordering::SeqCst);
                    let code = answer.json["code"].as_str().unwrap_or("stored").to_owned();
                    answers.push((order, answer.status.as_u16(), code));
                }
                answers
            })
        })
        .collect();
    for crash in 1..=3 {
        while posted.load(Ordering::SeqCst) < crash * 100 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // When a process of the server is killed, the server ends all others, recovers and starts again.
        let pid = sql(&url, "SELECT MIN(pid) FROM pg_stat_activity WHERE application_name = 'checkout'");
        assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let mut answers = Vec::new();
    for merchant in merchants {
        answers.extend(merchant.await.unwrap());
    }
    let rows = world.database.texts("SELECT client_payment_id FROM payments").await;
    let stored: Vec<String> = rows.into_iter().map(|row| row[0].clone().unwrap()).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (order, status, code) in answers {
        let is_stored = stored.contains(&order);
        match (status, code.as_str()) {
            (201, _) => assert!(is_stored, "{order} is lost"),
            (503, "store_unavailable") => {
                assert!(!is_stored, "{order} was stored, but the answer denies it");
            }
            (503, "outcome_unknown") => {}
            other => panic!("{order}: {other:?}"),
        }
        *counts.entry(format!("{status} {code}")).or_default() += 1;
    }
    assert!(counts["201 stored"] > 100, "{counts:?}");
}
