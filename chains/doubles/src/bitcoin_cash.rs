//! A test server for the JSON-RPC of Bitcoin Cash Node 28.0.1, over the chain of a real node of Litecoin whose wallets have legacy
//! addresses: blocks, the memory pool and wallets are real, and CashAddr takes the place of the node's addresses.
//!
//! Methods, the types of their arguments, fields, error codes and texts follow its source: `src/rpc/rawtransaction.cpp`,
//! `blockchain.cpp`, `mining.cpp`, `dsproof.cpp`, `server.cpp` and `util.cpp`; `src/wallet/rpcwallet.cpp` and `rpcdump.cpp`;
//! `src/node/transaction.cpp`; `src/validation.cpp`. Not run beside the original.

mod address;
mod answers;
mod methods;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use checkout_test_nodes::Rpc;
use parking_lot::Mutex;
use serde_json::{Value, json};

pub use address::legacy;

use self::methods::{FUNDING, METHODS};
use crate::node_rpc::methods::Method;
use crate::node_rpc::{Answer, response};

/// An error that the adapter has never seen.
const STRANGE: (i64, &str) = (-32603, "Something strange about this transaction");

#[derive(Clone)]
pub struct BitcoinCash {
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    node: Rpc,
    faults: Mutex<Faults>,
}

#[derive(Default)]
struct Faults {
    /// Each request about this transaction fails.
    strange: Option<String>,
    /// There is a double-spend proof for this transaction.
    proven: Option<String>,
}

impl BitcoinCash {
    /// Serves until the runtime ends. `node` must have been started with [`Node::start_legacy`](checkout_test_nodes::Node).
    pub async fn start(node: Rpc) -> Self {
        let shared = Arc::new(Shared { node, faults: Mutex::default() });
        let router = Router::new().fallback(respond).with_state(Arc::clone(&shared));
        Self { url: crate::serve(router).await, shared }
    }

    /// Answers requests about a transaction with an unknown error; `None` ends that.
    pub fn fail_about(&self, transaction: Option<&str>) {
        self.shared.faults.lock().strange = transaction.map(str::to_owned);
    }

    /// Somebody proved that a transaction in the memory pool is spent twice.
    pub fn prove_double_spend(&self, transaction: &str) {
        self.shared.faults.lock().proven = Some(transaction.to_owned());
    }
}

async fn respond(State(shared): State<Arc<Shared>>, uri: Uri, body: String) -> Response {
    let path = uri.path().to_owned();
    // Requests to the node block.
    let answered = tokio::task::spawn_blocking(move || {
        let request: Value = serde_json::from_str(&body).unwrap_or_default();
        let wallet = path.strip_prefix("/wallet/").unwrap_or_default().to_owned();
        let answer = answer(&shared, &wallet, &request);
        (answer, request["id"].clone())
    });
    let (answer, id) = answered.await.expect("the server does not panic");
    response(&id, answer)
}

fn answer(shared: &Shared, wallet: &str, request: &Value) -> Answer {
    let name = request["method"].as_str().unwrap_or_default();
    let parameters = Method::find(METHODS, name)?.checked(&request["params"], &FUNDING)?;
    {
        let faults = shared.faults.lock();
        let is_about = |id: &String| parameters.first().is_some_and(|first| first == id.as_str());
        if faults.strange.as_ref().is_some_and(is_about) {
            return Err((STRANGE.0, STRANGE.1.to_owned()));
        }
        if name == "getdsproof" {
            let is_proven = faults.proven.as_ref().is_some_and(is_about);
            return Ok(if is_proven { json!({"dspid": "00", "txid": parameters[0]}) } else { Value::Null });
        }
    }
    let ask = |method: &str, parameters: Vec<Value>| {
        shared.node.try_call(wallet, method, &address::to_node(Value::Array(parameters)))
    };
    let answered = match name {
        // In memory pools without a market: the minimum.
        "estimatefee" => {
            return ask("getmempoolinfo", Vec::new()).map(|pool| pool["mempoolminfee"].clone());
        }
        // A limit of the fee rate, instead of the permission for any fee.
        "sendrawtransaction" => {
            let any = parameters.get(1) == Some(&json!(true));
            let hex = parameters[0].clone();
            ask(name, if any { vec![hex, json!(0)] } else { vec![hex] })
        }
        _ => ask(name, parameters),
    };
    match answered {
        Ok(result) => Ok(address::from_node(answers::form(name, result))),
        Err((code, message)) => Err((code, answers::words(&message))),
    }
}
