//! A test server for Esplora's API, as Blockstream documents it, over the chain of a real node of Bitcoin or Litecoin.

pub mod hostile;
mod index;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use checkout_test_nodes::Rpc;
use parking_lot::Mutex;
use serde_json::{Value, json};

use self::index::Index;
use crate::Fault;
use crate::hostile::{Hostile, Row};

/// Confirmed transactions in one answer.
const PAGE: usize = 25;

#[derive(Clone)]
pub struct Esplora {
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    index: Arc<Mutex<Index>>,
    fault: Mutex<Fault>,
    requests: AtomicUsize,
    /// Requests that are answered before the rate limit is reached.
    left: Mutex<Option<usize>>,
    answered: Mutex<Vec<String>>,
    /// Objects, such as `address`, about which another server answers. It lacks the newest block.
    behind: Mutex<Vec<&'static str>>,
    hostile: Mutex<Hostile>,
}

/// A status with a text, or JSON.
type Answer = Result<Value, (StatusCode, String)>;

impl Esplora {
    /// Serves until the runtime ends.
    pub async fn start(node: Rpc) -> Self {
        Self::over(Arc::new(Mutex::new(Index::new(node)))).await
    }

    /// Another server over the same node, which need not read its blocks again.
    pub async fn another(&self) -> Self {
        Self::over(Arc::clone(&self.shared.index)).await
    }

    async fn over(index: Arc<Mutex<Index>>) -> Self {
        let shared = Arc::new(Shared {
            index,
            fault: Mutex::default(),
            requests: AtomicUsize::new(0),
            left: Mutex::default(),
            answered: Mutex::default(),
            behind: Mutex::default(),
            hostile: Mutex::default(),
        });
        let router = Router::new().fallback(respond).with_state(Arc::clone(&shared));
        Self { url: format!("{}/api", crate::serve(router).await), shared }
    }

    pub fn set_fault(&self, fault: Fault) {
        *self.shared.fault.lock() = fault;
    }

    /// Requests about these objects, such as `address`, are answered by a server that lacks the newest block.
    pub fn set_behind(&self, objects: &[&'static str]) {
        *self.shared.behind.lock() = objects.to_vec();
    }

    /// After so many requests the rate limit is reached; `None` is no limit.
    pub fn limit_after(&self, requests: Option<usize>) {
        *self.shared.left.lock() = requests;
        self.shared.answered.lock().clear();
    }

    /// The paths that were answered since the limit was set.
    pub fn answered(&self) -> Vec<String> {
        self.shared.answered.lock().clone()
    }

    /// From now on the answers about a transaction, or about an address, are odd.
    pub fn arm(&self, row: Row, object: &str) {
        self.shared.hostile.lock().arm(row, object);
    }

    /// From now on another server, which is not odd, answers in turns.
    pub fn take_turns(&self, seed: u32) {
        self.shared.hostile.lock().take_turns(seed);
    }

    pub fn disarm(&self) {
        self.shared.hostile.lock().disarm();
    }

    /// Requests so far.
    pub fn requests(&self) -> usize {
        self.shared.requests.load(Ordering::Relaxed)
    }
}

async fn respond(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, body: String) -> Response {
    shared.requests.fetch_add(1, Ordering::Relaxed);
    let fault = *shared.fault.lock();
    match fault {
        Fault::None => {}
        Fault::Down => return (StatusCode::BAD_GATEWAY, "Bad Gateway").into_response(),
        Fault::Limited => {
            return (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "2")], "Too Many Requests")
                .into_response();
        }
        Fault::Garbled => return "[{\"txid\":\"00".into_response(),
    }
    let path = uri.path().to_owned();
    {
        let mut left = shared.left.lock();
        match &mut *left {
            Some(0) => {
                return (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "0")], "Too Many Requests")
                    .into_response();
            }
            Some(left) => *left -= 1,
            None => {}
        }
        shared.answered.lock().push(path.clone());
    }
    let hostile = shared.hostile.lock().answering();
    let (call, about) = asked(&path);
    tokio::time::sleep(hostile.pause(call)).await;
    if let Some(refusal) = hostile.refusal(call, about) {
        return Hostile::response(refusal);
    }
    let (odd, call) = (hostile.clone(), call.to_owned());
    let after = uri.query().and_then(|query| query.strip_prefix("after_txid=")).map(str::to_owned);
    // Requests to the node block.
    let answered = tokio::task::spawn_blocking(move || {
        let mut index = shared.index.lock();
        let object = path.trim_start_matches("/api/").split('/').next().unwrap_or_default();
        let is_behind = shared.behind.lock().contains(&object);
        answer(&mut index, &method, &path, &body, is_behind, (&odd, after.as_deref()))
    });
    match answered.await.expect("the server does not panic") {
        Ok(Value::String(text)) => text.into_response(),
        Ok(mut value) => {
            hostile.edit(&call, &mut value);
            ([(CONTENT_TYPE, "application/json")], hostile.text(&call, value.to_string())).into_response()
        }
        Err((status, text)) => (status, text).into_response(),
    }
}

/// What a path asks for, and about which object.
fn asked(path: &str) -> (&str, Option<&str>) {
    match path.trim_start_matches("/api/").split('/').collect::<Vec<_>>()[..] {
        ["tx", id, what, ..] => (what, Some(id)),
        [what @ ("tx" | "address"), object, ..] => (what, Some(object)),
        [what, ..] => (what, None),
        [] => ("", None),
    }
}

fn answer(
    index: &mut Index,
    method: &Method,
    path: &str,
    body: &str,
    is_behind: bool,
    (hostile, after_waiting): (&Hostile, Option<&str>),
) -> Answer {
    let not_found = |what: &str| (StatusCode::NOT_FOUND, format!("{what} not found"));
    let parts: Vec<&str> = path.strip_prefix("/api").unwrap_or(path).split('/').skip(1).collect();
    if method == Method::POST {
        // As electrs writes it.
        let refused = |(code, message): (i64, String)| {
            let error = json!({"code": code, "message": message});
            (StatusCode::BAD_REQUEST, format!("sendrawtransaction RPC error: {error}"))
        };
        return index.node.try_call("", "sendrawtransaction", &json!([body])).map_err(refused);
    }
    index.refresh();
    if is_behind {
        index.step_back();
    }
    match parts.as_slice() {
        ["blocks", "tip", "height"] => Ok(json!(index.height())),
        ["blocks", "tip", "hash"] => Ok(json!(index.hash_at(index.height()))),
        ["block-height", height] => {
            let height =
                height.parse().map_err(|_| (StatusCode::BAD_REQUEST, "Invalid height".to_owned()))?;
            index.hash_at(height).map(|hash| json!(hash)).ok_or_else(|| not_found("Block"))
        }
        ["block", hash] => index.block(hash).ok_or_else(|| not_found("Block")),
        ["fee-estimates"] => Ok(index.fee_estimates()),
        ["tx", id] => index.transaction(id).ok_or_else(|| not_found("Transaction")),
        ["tx", id, "status"] => {
            let Some(mut found) = index.transaction(id) else { return Ok(json!({"confirmed": false})) };
            hostile.edit("status", &mut found);
            Ok(found["status"].take())
        }
        ["tx", id, "hex"] => index.hex(id).map(Value::String).ok_or_else(|| not_found("Transaction")),
        ["tx", id, "outspend", output] => Ok(index.outspend(id, output)),
        ["address", address, rest @ ..] => {
            if !index.is_valid(address) {
                return Err((StatusCode::BAD_REQUEST, "Invalid Bitcoin address".to_owned()));
            }
            let (waiting, mut mined) = index.of_address(address);
            if hostile.is_oldest_first("address") {
                mined.reverse();
            }
            let page = hostile.page("address", PAGE);
            let after = |last: &str| {
                let at = mined.iter().position(|transaction| transaction["txid"] == last);
                mined.iter().skip(at.map_or(0, |at| at + 1)).take(page).cloned().collect()
            };
            match rest {
                [] => Ok(json!({
                    "address": address, "chain_stats": {"tx_count": mined.len()},
                    "mempool_stats": {"tx_count": waiting.len()},
                })),
                // As in mempool's electrs, where a page ends with the transactions that wait, and `after_txid` goes on.
                ["txs"] if page < PAGE => {
                    let all: Vec<Value> = waiting.into_iter().chain(mined).collect();
                    let at = after_waiting.and_then(|id| all.iter().position(|known| known["txid"] == id));
                    Ok(all.into_iter().skip(at.map_or(0, |at| at + 1)).take(page).collect())
                }
                ["txs"] => Ok(waiting.into_iter().take(50).chain(mined.iter().take(PAGE).cloned()).collect()),
                ["txs", "mempool"] => Ok(waiting.into_iter().take(50).collect()),
                ["txs", "chain"] => Ok(after("")),
                ["txs", "chain", last] => Ok(after(last)),
                _ => Err(not_found("Path")),
            }
        }
        _ => Err(not_found("Path")),
    }
}
