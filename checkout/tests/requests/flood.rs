//! Servers whose answers have no end. The gateway reads so much of them, and no more.

use std::time::{Duration, Instant};

use checkout_chain_doubles::Flood;
use checkout_chain_http::client::{MAX_ANSWER, MAX_SHORT_ANSWER};
use checkout_chain_keys::remote::Remote;
use checkout_core::Network;

/// The contents of the sockets are not read.
const IN_SOCKETS: u64 = 16 * 1024 * 1024;

async fn refused(flood: &Flood, limit: usize, answer: impl Future<Output = Result<(), String>>) {
    let (before, started) = (flood.sent(), Instant::now());
    let error = answer.await.unwrap_err();
    assert!(error.contains("longer than"), "{error}");
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
    let sent = flood.sent() - before;
    assert!(sent <= limit as u64 + IN_SOCKETS, "{error}: {sent} bytes were taken");
}

fn text<T>(answer: Result<T, impl std::fmt::Display>) -> Result<(), String> {
    answer.map(drop).map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_without_an_end_is_not_kept() {
    let flood = Flood::start().await;
    let url = flood.url.as_str();
    let node = checkout_chain_evm::Node::new(url, 1).unwrap();
    refused(&flood, MAX_ANSWER, async { text(node.latest().await) }).await;
    let api = checkout_chain_tron::api::Api::new(url, None).unwrap();
    let node = checkout_chain_tron::Node::new(api, checkout_chain_tron::Settings::default().genesis);
    refused(&flood, MAX_ANSWER, async { text(node.solid().await) }).await;
    let node = checkout_chain_xrp::Node::new(url, 0).unwrap();
    refused(&flood, MAX_ANSWER, async { text(node.last_ledger().await) }).await;
    let node = checkout_chain_stellar::Node::new(url, checkout_chain_stellar::MAIN).unwrap();
    refused(&flood, MAX_ANSWER, async { text(node.last_ledger().await) }).await;
    let signer = Remote::new(url, Network::Xrp, "r".to_owned()).unwrap();
    refused(&flood, MAX_SHORT_ANSWER, async { text(signer.sign(b"message").await) }).await;
    let signer = checkout_chain_evm::rpc::Rpc::new(url).unwrap().with_max_answer(MAX_SHORT_ANSWER);
    let answer = signer.call::<serde_json::Value>("eth_signTransaction", serde_json::json!([]));
    refused(&flood, MAX_SHORT_ANSWER, async { text(answer.await) }).await;
}
