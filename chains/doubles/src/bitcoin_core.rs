//! A proxy before the JSON-RPC of a real node of Bitcoin or Litecoin, whose answers can be hostile: everything else is the node's.

pub mod hostile;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse as _, Response};
use checkout_test_nodes::Rpc;
use parking_lot::Mutex;
use serde_json::Value;

use crate::hostile::{Hostile, Row};
use crate::node_rpc::body;

/// Stands in a row for the id of the request.
const ASKED: &str = r#""id":1}"#;

#[derive(Clone)]
pub struct BitcoinCore {
    pub url: String,
    hostile: Arc<Mutex<Hostile>>,
    asked: Arc<AtomicUsize>,
}

impl BitcoinCore {
    /// Serves until the runtime ends.
    pub async fn start(node: Rpc) -> Self {
        let hostile = Arc::new(Mutex::new(Hostile::default()));
        let asked = Arc::<AtomicUsize>::default();
        let state = (node, Arc::clone(&hostile), Arc::clone(&asked));
        let router = Router::new().fallback(respond).with_state(state);
        Self { url: crate::serve(router).await, hostile, asked }
    }

    /// The number of requests so far.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// From now on the answers about a transaction are odd.
    pub fn arm(&self, row: Row, transaction: &str) {
        self.hostile.lock().arm(row, transaction);
    }

    /// From now on another node, which is not odd, answers in turns.
    pub fn take_turns(&self, seed: u32) {
        self.hostile.lock().take_turns(seed);
    }

    pub fn disarm(&self) {
        self.hostile.lock().disarm();
    }
}

async fn respond(
    State((node, hostile, asked)): State<(Rpc, Arc<Mutex<Hostile>>, Arc<AtomicUsize>)>,
    uri: Uri,
    request: String,
) -> Response {
    asked.fetch_add(1, Ordering::Relaxed);
    let request: Value = serde_json::from_str(&request).unwrap_or_default();
    let method = request["method"].as_str().unwrap_or_default().to_owned();
    let hostile = hostile.lock().answering();
    tokio::time::sleep(hostile.pause(&method)).await;
    let about = request["params"][0].as_str().filter(|_| method == "gettransaction");
    if let Some((status, text)) = hostile.refusal(&method, about) {
        let text = text.replace(ASKED, &format!("\"id\":{}}}", request["id"]));
        return Hostile::response((status, &text));
    }
    let wallet = uri.path().strip_prefix("/wallet/").unwrap_or_default().to_owned();
    let (name, parameters) = (method.clone(), request["params"].clone());
    // Requests to the node block.
    let answered = tokio::task::spawn_blocking(move || node.try_call(&wallet, &name, &parameters));
    let answer = answered.await.expect("the server does not panic").map(|mut result| {
        hostile.edit(&method, &mut result);
        result
    });
    let id = hostile.id(&method, about).unwrap_or_else(|| request["id"].clone());
    let (status, text) = body(&id, answer);
    (status, hostile.text(&method, text)).into_response()
}
