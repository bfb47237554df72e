//! A test server for the JSON-RPC of Dogecoin Core 1.14.9, over the chain of a real node of Litecoin whose wallets have legacy
//! addresses: blocks, the memory pool and the wallet are real. On regtest the addresses of keys are the same texts.
//!
//! Methods, their arguments, fields, error codes and texts follow its source: `src/rpc/blockchain.cpp`, `mining.cpp`, `misc.cpp`,
//! `net.cpp`, `rawtransaction.cpp` and `server.cpp`; `src/wallet/rpcdump.cpp` and `rpcwallet.cpp`; `src/core_write.cpp`;
//! `src/httprpc.cpp`; `src/validation.cpp`. Not run beside the original.

mod answers;
mod methods;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use checkout_core::Network;
use checkout_core::address::{Address, Options};
use checkout_test_nodes::Rpc;
use parking_lot::Mutex;
use serde_json::{Value, json};

use self::methods::{FUNDING, METHODS};
use crate::node_rpc::methods::Method;
use crate::node_rpc::{Answer, response};

/// No label has this name in a node of today.
const NO_LABEL: i64 = -11;
const NOT_FOUND: i64 = -5;
const WALLET_NOT_FOUND: i64 = -18;

const ANY: Options = Options { allow_test_networks: true, ..Options::STRICT };

#[derive(Clone)]
pub struct Dogecoin {
    pub url: String,
    shared: Arc<Shared>,
}

struct Shared {
    node: Rpc,
    wallet: Mutex<String>,
}

impl Dogecoin {
    /// Serves until the runtime ends. `node` must have been started with [`Node::start_legacy`](checkout_test_nodes::Node). Its
    /// only wallet has private keys and no coins.
    pub async fn start(node: Rpc) -> Self {
        let shared = Arc::new(Shared { node, wallet: Mutex::default() });
        // All requests have this path, also those to wallets of other nodes.
        let router = Router::new().route("/", post(respond)).with_state(Arc::clone(&shared));
        let server = Self { url: crate::serve(router).await, shared };
        server.open("dogecoin");
        server
    }

    /// The node comes back with a new wallet.
    pub fn open(&self, name: &str) {
        self.shared.node.call("", "createwallet", &json!([name]));
        name.clone_into(&mut self.shared.wallet.lock());
    }

    /// The name of the wallet in the node behind the server.
    pub fn wallet(&self) -> String {
        self.shared.wallet.lock().clone()
    }
}

async fn respond(State(shared): State<Arc<Shared>>, body: String) -> Response {
    // Requests to the node block.
    let answered = tokio::task::spawn_blocking(move || {
        let request: Value = serde_json::from_str(&body).unwrap_or_default();
        (request["id"].clone(), shared.answer(&request))
    });
    let (id, answer) = answered.await.expect("the server does not panic");
    response(&id, answer)
}

impl Shared {
    fn answer(&self, request: &Value) -> Answer {
        let name = request["method"].as_str().unwrap_or_default();
        let parameters = Method::find(METHODS, name)?.checked(&request["params"], &FUNDING)?;
        refuse_foreign(name, &parameters)?;
        self.answer_to(name, parameters)
            .map(|result| answers::form(name, result))
            .map_err(|(code, message)| (code, answers::words(code, &message)))
    }

    fn answer_to(&self, name: &str, mut parameters: Vec<Value>) -> Answer {
        match name {
            // Regtest has too few transactions for an estimate.
            "estimatesmartfee" => Ok(json!({"feerate": -1, "blocks": parameters[0]})),
            "getaddressesbyaccount" => match self.ask("getaddressesbylabel", &parameters) {
                Err((NO_LABEL, _)) => Ok(json!([])),
                addresses => {
                    Ok(addresses?.as_object().into_iter().flatten().map(|row| json!(row.0)).collect())
                }
            },
            // An unknown block is none.
            "listsinceblock" => match self.ask(name, &parameters) {
                Err((NOT_FOUND, _)) => {
                    parameters[0] = json!("");
                    self.ask(name, &parameters)
                }
                answer => answer,
            },
            "rescan" => self.rescan(&parameters),
            "sendrawtransaction" => {
                if parameters.get(1) == Some(&json!(true)) {
                    parameters[1] = json!(0);
                } else {
                    parameters.truncate(1);
                }
                self.ask(name, &parameters)
            }
            "signrawtransaction" => self.ask("signrawtransactionwithwallet", &parameters),
            "validateaddress" => self.describe(&parameters),
            "fundrawtransaction" => {
                // Its default is not the wallet's choice any more.
                if let Some(options) = parameters.get_mut(1).and_then(Value::as_object_mut) {
                    options.remove("reserveChangeKey");
                }
                self.ask(name, &parameters)
            }
            _ => self.ask(name, &parameters),
        }
    }

    /// Asks the node behind, and its wallet. The wallet is not loaded any more after a restart.
    fn ask(&self, method: &str, parameters: &[Value]) -> Answer {
        let (wallet, parameters) = (self.wallet.lock().clone(), json!(parameters));
        match self.node.try_call(&wallet, method, &parameters) {
            Err((WALLET_NOT_FOUND, _)) => {
                self.node.try_call("", "loadwallet", &json!([wallet]))?;
                self.node.try_call(&wallet, method, &parameters)
            }
            answer => answer,
        }
    }

    fn rescan(&self, parameters: &[Value]) -> Answer {
        let state = || {
            let info = self.ask("getwalletinfo", &[])?;
            Ok(json!({"balance": info["balance"], "txcount": info["txcount"]}))
        };
        let before = state()?;
        let scanned = self.ask("rescanblockchain", parameters)?;
        let last = scanned["stop_height"].as_u64().unwrap_or_default();
        let blocks = last - scanned["start_height"].as_u64().unwrap_or_default();
        Ok(json!({"before": before, "after": state()?, "blocks_scanned": blocks, "time_elapsed": 0}))
    }

    fn describe(&self, parameters: &[Value]) -> Answer {
        let text = parameters[0].as_str().unwrap_or_default();
        if !is_address(text) {
            return Ok(json!({"isvalid": false}));
        }
        let info = self.ask("getaddressinfo", parameters)?;
        Ok(json!({
            "isvalid": true, "address": text, "scriptPubKey": info["scriptPubKey"],
            "ismine": info["ismine"], "iswatchonly": info["iswatchonly"], "isscript": info["isscript"],
        }))
    }
}

fn is_address(text: &str) -> bool {
    Address::parse_with(Network::Doge, text, &ANY).is_ok_and(|address| address.test_network().is_some())
}

/// The node behind the server has more kinds of addresses.
fn refuse_foreign(name: &str, parameters: &[Value]) -> Result<(), (i64, String)> {
    let (texts, words): (Vec<&str>, _) = match (name, parameters) {
        ("createrawtransaction", [_, Value::Object(outputs), ..]) => {
            (outputs.keys().map(String::as_str).collect(), "Invalid Dogecoin address: ")
        }
        ("importaddress", [Value::String(text), ..]) => (vec![text], "Invalid Dogecoin address or script"),
        _ => return Ok(()),
    };
    match texts.into_iter().find(|text| *text != "data" && !is_address(text)) {
        Some(text) if words.ends_with(' ') => Err((NOT_FOUND, format!("{words}{text}"))),
        Some(_) => Err((NOT_FOUND, words.to_owned())),
        None => Ok(()),
    }
}
