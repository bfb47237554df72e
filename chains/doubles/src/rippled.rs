//! A test server for rippled's JSON-RPC.

pub mod answers;
pub mod blob;
pub mod hostile;
pub mod ledger;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};

pub use self::ledger::{Account, Ledger};
use crate::{Fault, merge};

#[derive(Clone, Debug)]
pub struct Rippled {
    pub url: String,
    ledger: Arc<Mutex<Ledger>>,
}

impl Rippled {
    /// Serves until the runtime ends.
    pub async fn start() -> Self {
        let ledger = Arc::new(Mutex::new(Ledger::default()));
        let router = Router::new().route("/", post(respond)).with_state(Arc::clone(&ledger));
        Self { url: crate::serve(router).await, ledger }
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock()
    }
}

async fn respond(State(ledger): State<Arc<Mutex<Ledger>>>, body: Bytes) -> (StatusCode, Vec<u8>) {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, "Unable to parse request: ".into());
    };
    let pause = ledger.lock().hostile.pause(request["method"].as_str().unwrap_or_default());
    tokio::time::sleep(pause).await;
    let mut ledger = ledger.lock();
    ledger.requests += 1;
    match ledger.fault {
        Fault::None => {}
        Fault::Down => return (StatusCode::SERVICE_UNAVAILABLE, "Server is overloaded".into()),
        Fault::Limited => return (
            StatusCode::OK,
            json!({"result": error("slowDown", "You are placing too much load on the server.", &request)})
                .to_string()
                .into_bytes(),
        ),
        Fault::Garbled => return (StatusCode::OK, r#"{"result":{"status":"succ"#.into()),
    }
    let (method, params) = (request["method"].as_str().unwrap_or_default(), &request["params"][0]);
    let hostile = ledger.hostile.clone();
    if let Some((status, text)) = hostile.refusal(method, params["transaction"].as_str()) {
        return (StatusCode::from_u16(status).expect("a status"), text.into());
    }
    let ledger = &mut *ledger;
    let ledger = match &mut ledger.lagging {
        Some(lagging) if lagging.1.contains(&method) => &mut lagging.0,
        _ => ledger,
    };
    let result = match answers::answer(ledger, method, params) {
        Ok(mut result) => {
            merge(&mut result, json!({"status": "success"}));
            hostile.edit(method, &mut result);
            result
        }
        Err((code, message)) => {
            let mut result = error(code, message, &request);
            if let (true, Some(all)) = (code == "txnNotFound", answers::searched_all(ledger, params)) {
                result["searched_all"] = all.into();
            }
            result
        }
    };
    (StatusCode::OK, hostile.bytes(method, json!({"result": result}).to_string()))
}

fn error(code: &str, message: &str, request: &Value) -> Value {
    json!({"error": code, "error_code": 29, "error_message": message, "request": request["params"][0], "status": "error"})
}
