//! The cost of a status poll: on SQLite no other thread, on PostgreSQL one round trip.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use checkout_domain::access::token::Caller;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_test_postgres::Server;
use futures::FutureExt as _;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};

use super::stage::{NOW, Stage};
use super::versions::token;
use crate::fixture::TestDatabase;

const SOCKET: &str = ".s.PGSQL.5432";

#[tokio::test]
async fn on_sqlite_a_poll_does_not_wait_for_another_thread() {
    let stage = Stage::set(TestDatabase::sqlite()).await;
    let payment = stage.stored("order").await.id;
    let session = token(&stage, Caller::Session { payment }).await;
    for _ in 0..3 {
        let poll = stage.store.caller_and_version(&session, NOW, payment).now_or_never();
        let (known, _) = poll.expect("it is answered at once").unwrap().unwrap();
        assert_eq!(known.caller, Caller::Session { payment });
    }
}

#[tokio::test]
async fn on_postgres_a_poll_is_one_round_trip() {
    const POLLS: usize = 100;
    let (server, between) = (Server::start(), tempfile::tempdir().unwrap());
    let sent = counted(&server, &between);
    let url = format!("postgres://postgres@localhost/postgres?host={}", between.path().display());
    let stage = Stage::set(TestDatabase::Postgres(url)).await;
    let payment = stage.stored("order").await.id;
    let session = token(&stage, Caller::Session { payment }).await;
    let poll = async || {
        let found = stage.store.caller_and_version(&session, NOW, payment).await.unwrap().unwrap();
        found.1.unwrap();
    };
    // Connects, and prepares the statement.
    poll().await;
    let before = sent.load(Ordering::SeqCst);
    for _ in 0..POLLS {
        poll().await;
    }
    let round_trips = sent.load(Ordering::SeqCst) - before;
    // A few more if they take longer than a second: each second a connection is tested.
    assert!((POLLS..POLLS * 3 / 2).contains(&round_trips), "{round_trips} for {POLLS} polls");
}

/// Forwards the connections of a socket in the folder to the server, and counts the messages to it. A client that waits for
/// each answer sends one message for each round trip.
fn counted(server: &Server, folder: &TempDir) -> Arc<AtomicUsize> {
    let (socket, count) = (server.folder().join(SOCKET), Arc::new(AtomicUsize::new(0)));
    let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
    let sent = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let (mut answers, mut to_server) = UnixStream::connect(&socket).await.unwrap().into_split();
            let (mut questions, mut to_client) = client.into_split();
            tokio::spawn(async move { tokio::io::copy(&mut answers, &mut to_client).await });
            let sent = Arc::clone(&sent);
            tokio::spawn(async move {
                let mut buffer = vec![0; 64 * 1024];
                while let Ok(length @ 1..) = questions.read(&mut buffer).await {
                    sent.fetch_add(1, Ordering::SeqCst);
                    to_server.write_all(&buffer[..length]).await.unwrap();
                }
            });
        }
    });
    count
}
