//! A stand-in for a node of an EVM chain, shaped as in the execution API specification
//! (<https://github.com/ethereum/execution-apis>) and, for traces, as geth answers. A real node, anvil, runs in the tests of the
//! adapter; this one counts calls, follows a clock that tests move, and can lack logs, as nodes that lag do (Besu #8007, Reth
//! #7371, go-ethereum #26098).

pub mod answers;
mod batches;
pub mod chain;
pub mod hostile;
mod odd;
mod traces;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};

pub use self::chain::Chain;
use crate::Fault;

#[derive(Clone, Debug)]
pub struct EvmNode {
    pub url: String,
    chain: Arc<Mutex<Chain>>,
}

impl EvmNode {
    /// Serves until the runtime ends.
    pub async fn start(chain_id: u64) -> Self {
        let chain = Arc::new(Mutex::new(Chain::new(chain_id)));
        let router = Router::new().route("/", post(respond)).with_state(Arc::clone(&chain));
        Self { url: crate::serve(router).await, chain }
    }

    pub fn chain(&self) -> MutexGuard<'_, Chain> {
        self.chain.lock()
    }
}

async fn respond(State(chain): State<Arc<Mutex<Chain>>>, body: Bytes) -> (StatusCode, String) {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, String::new());
    };
    let calls = match request.as_array() {
        Some(calls) => calls.as_slice(),
        None => std::slice::from_ref(&request),
    };
    let pause = odd::pause(&chain.lock(), calls);
    tokio::time::sleep(pause).await;
    let mut chain = chain.lock();
    // Providers count each call of a batch.
    chain.requests += calls.len() as u64;
    match chain.fault {
        Fault::None => {}
        Fault::Down => return (StatusCode::SERVICE_UNAVAILABLE, "upstream unavailable".to_owned()),
        Fault::Limited => return (StatusCode::TOO_MANY_REQUESTS, String::new()),
        Fault::Garbled => return (StatusCode::OK, r#"{"jsonrpc":"2.0","#.to_owned()),
    }
    if request.is_array()
        && let Some(refusal) = batches::refused(&chain.hostile, calls)
    {
        return refusal;
    }
    let mut answers = Vec::with_capacity(calls.len());
    for call in calls {
        match odd::answer(&mut chain, call) {
            Ok(answer) => answers.push(answer),
            Err(whole) => return whole,
        }
    }
    if request.is_array() {
        batches::cut(&chain.hostile, &mut answers);
        return (StatusCode::OK, odd::text(&chain, calls, &Value::Array(answers)));
    }
    (StatusCode::OK, odd::text(&chain, calls, &answers.pop().unwrap_or_default()))
}

fn one(chain: &mut Chain, call: &Value) -> Value {
    let method = call["method"].as_str().unwrap_or_default();
    match answers::answer(chain, method, &call["params"]) {
        Ok(result) => json!({"jsonrpc": "2.0", "id": call["id"], "result": result}),
        Err((code, message)) => {
            json!({"jsonrpc": "2.0", "id": call["id"], "error": {"code": code, "message": message}})
        }
    }
}
