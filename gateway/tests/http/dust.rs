//! Transfers that are too small to be deposits, and many transfers to one payment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use checkout_core::{Currency, Network};
use checkout_gateway::service::transfers::record_transfers::catch_up;
use checkout_storage::query;
use serde_json::{Value, json};

use super::World;
use crate::fixture::Look as _;

/// Puts `count` pending transfers of `atoms` to the address of a payment onto its chain.
async fn broadcast(world: &World, payment: &Value, network: Network, count: usize, atoms: u64) {
    let first = world.database.count("SELECT COALESCE(MAX(revision), 0) FROM sim_transfers").await;
    let statement = query(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
         INSERT INTO sim_transfers (network, transaction_id, currency, address, tag, amount, from_address, fee, seen_at,
             dropped, revision)
         SELECT $2, 'dust' || ($3 + n), $4, $5, $6, $7, $8, '0.00001', $9, 0, $3 + n FROM numbers",
    );
    let statement = statement
        .bind(i64::try_from(count).unwrap())
        .bind(network.code())
        .bind(first)
        .bind(payment["depositCurrency"].as_str().unwrap())
        .bind(payment["walletAddress"].as_str().unwrap())
        .bind(payment["destinationTag"].as_str())
        .bind(atoms.to_string())
        .bind(network.spec().example)
        .bind(i64::try_from(world.app.clock.now()).unwrap());
    world.database.apply(statement).await.unwrap();
}

/// How long each of some POSTs of other payments took, the slowest last.
async fn others(world: &World, name: &str, is_done: impl Fn(usize) -> bool) -> Vec<Duration> {
    let mut took = Vec::new();
    while !is_done(took.len()) {
        let asked = Instant::now();
        let order = format!("{name}-{}", took.len());
        let created = world.create(json!({"clientPaymentId": order})).await;
        assert_eq!(created.status.as_u16(), 201, "{}", created.json);
        took.push(asked.elapsed());
    }
    took.sort();
    took
}

fn p99(took: &[Duration]) -> Duration {
    took[(took.len() * 99).div_ceil(100) - 1]
}

/// Reads the chain while other payments are made. Returns how long the reading and the POSTs took.
async fn read_beside_others(world: &World, network: Network, name: &str) -> (Duration, Vec<Duration>) {
    let (started, done) = (Instant::now(), AtomicBool::new(false));
    let reading = async {
        catch_up(&world.app, network).await.unwrap();
        done.store(true, Ordering::SeqCst);
        started.elapsed()
    };
    let posting = others(world, name, |count| done.load(Ordering::SeqCst) && count > 0);
    tokio::join!(reading, posting)
}

/// One payer sends ten thousand of the smallest amounts of lumens. This costs the gateway seconds, and the
/// payment does not change.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_tiny_transfers_do_not_block_the_gateway() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "XLM", "XLM").await;
    let before = world.payment(&id).await;
    let usual = others(&world, "usual", |count| count == 100).await;
    broadcast(&world, &before, Network::Xlm, 10_000, 1).await;
    let (seen, beside_seen) = read_beside_others(&world, Network::Xlm, "seen").await;
    world.simulated.simulator.mine(Network::Xlm, 1).await.unwrap();
    let (took, beside) = read_beside_others(&world, Network::Xlm, "confirmed").await;
    eprintln!(
        "10,000 dust transfers: seen in {seen:?} (p99 of other POSTs {:?}), confirmed in {took:?} (p99 {:?}); p99 alone {:?}",
        p99(&beside_seen),
        p99(&beside),
        p99(&usual),
    );
    assert!(took < Duration::from_mins(1), "{took:?}");
    assert_eq!(world.payment(&id).await, before);
    let dust = world.app.store.dust(id.parse().unwrap()).await.unwrap();
    let [(Network::Xlm, Currency::Xlm, sum)] = dust.as_slice() else { panic!("{dust:?}") };
    assert_eq!((sum.transfers, sum.amount.atoms()), (10_000, 10_000));
    assert_eq!(world.database.count("SELECT COUNT(*) FROM deposits").await, 0);
    let path = format!("/api/v1/payments/{id}");
    let chosen = world.patch(&path, &session, &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(chosen.status.as_u16(), 200, "dust does not fix the currency");
}

/// Larger transfers are deposits, each booked separately: processing time is proportional to their number, also if all are
/// to one payment. `CHECKOUT_TRANSFERS=10000` sets the number.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_block_takes_time_proportional_to_its_transfers() {
    let most = std::env::var("CHECKOUT_TRANSFERS").map_or(2_000, |text| text.parse().unwrap());
    let mut rounds = Vec::new();
    // Other work on the machine can slow a round down.
    for _ in 0..3 {
        let world = World::new().await;
        let few = time_of_a_block(&world, most / 8).await;
        let many = time_of_a_block(&world, most).await;
        // If each were compared with all others, it would be 64 times.
        if many < few * 32 {
            return;
        }
        rounds.push((few, many));
    }
    panic!("eight times the transfers: {rounds:?}");
}

/// Reads a block with `transfers` transfers to one payment, beside others' POSTs.
async fn time_of_a_block(world: &World, transfers: usize) -> Duration {
    let order = json!({"clientPaymentId": format!("order-{transfers}")});
    let (id, _) = world.quoted(order, "XLM", "XLM").await;
    let payment = world.payment(&id).await;
    broadcast(world, &payment, Network::Xlm, transfers, 10_000_000).await;
    world.simulated.simulator.mine(Network::Xlm, 1).await.unwrap();
    let (took, beside) = read_beside_others(world, Network::Xlm, &format!("beside-{transfers}")).await;
    eprintln!("{transfers} deposits of one payment: {took:?}, p99 of other POSTs {:?}", p99(&beside));
    let payment = world.payment(&id).await;
    let stored = format!("SELECT COUNT(*) FROM deposits WHERE payment = '{id}'");
    assert_eq!(world.database.count(stored).await, i64::try_from(transfers).unwrap());
    assert_eq!(payment["actualDepositAmount"], transfers.to_string());
    took
}

/// As many transfers to as many payments.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_block_for_many_payments_lets_others_write() {
    let world = World::new().await;
    let count = std::env::var("CHECKOUT_TRANSFERS").map_or(200, |text| text.parse().unwrap());
    for number in 0..count {
        let order = json!({"clientPaymentId": format!("order-{number}")});
        let (id, _) = world.quoted(order, "XLM", "XLM").await;
        broadcast(&world, &world.payment(&id).await, Network::Xlm, 1, 10_000_000).await;
    }
    world.simulated.simulator.mine(Network::Xlm, 1).await.unwrap();
    let (took, beside) = read_beside_others(&world, Network::Xlm, "beside").await;
    eprintln!("{count} deposits of as many payments: {took:?}, p99 of other POSTs {:?}", p99(&beside));
    assert!(beside.len() > count / 40, "{} POSTs while {count} payments were settled", beside.len());
    assert_eq!(
        world.database.count("SELECT COUNT(*) FROM deposits WHERE state = 'CONFIRMED'").await,
        i64::try_from(count).unwrap()
    );
}

/// A small transfer is not dust if it completes the price, or if the price is small.
#[tokio::test]
async fn the_missing_rest_is_never_dust() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.0016635").await;
    world.pay(&id, "0.00000029").await;
    assert_eq!(
        world.payment(&id).await["deposits"].as_array().unwrap().len(),
        2,
        "no node relays what is missing then"
    );
    world.pay(&id, "0.00000029").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!((&payment["status"], payment["deposits"].as_array().unwrap().len()), (&json!("DEPOSITED"), 2));
    let small = json!({"clientPaymentId": "small", "displayAmount": "0.20"});
    let (id, _) = world.quoted(small, "BTC", "BTC").await;
    for amount in ["0.0000004", "0.00000294"] {
        world.pay(&id, amount).await;
    }
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
}
