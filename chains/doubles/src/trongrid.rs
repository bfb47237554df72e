//! A stand-in for the HTTP interface of java-tron, as TronGrid serves it.

pub mod answers;
pub mod blob;
pub mod chain;
pub mod hostile;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::any;
use parking_lot::{Mutex, MutexGuard};
use serde_json::{Map, Value, json};

pub use self::chain::Chain;
use crate::Fault;

#[derive(Clone, Debug)]
pub struct TronGrid {
    pub url: String,
    chain: Arc<Mutex<Chain>>,
}

impl TronGrid {
    /// Serves until the runtime ends.
    pub async fn start() -> Self {
        let chain = Arc::new(Mutex::new(Chain::default()));
        let router = Router::new().route("/{of}/{method}", any(respond)).with_state(Arc::clone(&chain));
        Self { url: crate::serve(router).await, chain }
    }

    pub fn chain(&self) -> MutexGuard<'_, Chain> {
        self.chain.lock()
    }
}

/// The methods answered here that a lite node closes (`LiteFnQueryHttpFilter.java` of java-tron 4.8).
const CLOSED: [&str; 5] = [
    "getblockbylimitnext",
    "getblockbynum",
    "gettransactionbyid",
    "gettransactioninfobyid",
    "gettransactioninfobyblocknum",
];

async fn respond(
    State(chain): State<Arc<Mutex<Chain>>>,
    Path((of, method)): Path<(String, String)>,
    Query(query): Query<Vec<(String, String)>>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, String) {
    let pause = chain.lock().hostile.pause(&method);
    tokio::time::sleep(pause).await;
    let mut chain = chain.lock();
    chain.requests += 1;
    match chain.fault {
        Fault::None => {}
        Fault::Down => return (StatusCode::SERVICE_UNAVAILABLE, "upstream unavailable".to_owned()),
        Fault::Limited => {
            let error = json!({"Error": "The key exceeds the frequency limit(15), and the query server is suspended for 5s"});
            return (StatusCode::FORBIDDEN, error.to_string());
        }
        Fault::Garbled => return (StatusCode::OK, r#"{"blockID": "00"#.to_owned()),
    }
    if chain.is_lite && CLOSED.contains(&method.as_str()) {
        return (StatusCode::OK, "this API is closed because this node is a lite fullnode".to_owned());
    }
    let given = headers.get("TRON-PRO-API-KEY").and_then(|key| key.to_str().ok());
    if chain.api_key.is_some() && chain.api_key.as_deref() != given {
        return (StatusCode::UNAUTHORIZED, json!({"Error": "ApiKey not exists"}).to_string());
    }
    let params = if body.is_empty() {
        Value::Object(query.into_iter().map(|(key, value)| (key, Value::from(value))).collect::<Map<_, _>>())
    } else {
        match serde_json::from_slice(&body) {
            Ok(params) => params,
            Err(error) => return (StatusCode::OK, json!({"Error": error.to_string()}).to_string()),
        }
    };
    let hostile = chain.hostile.clone();
    if let Some((status, text)) = hostile.refusal(&method, params["value"].as_str()) {
        return (StatusCode::from_u16(status).expect("a status"), text.to_owned());
    }
    match chain.in_turn(|chain| answers::answer(chain, &of, &method, &params)) {
        Some(mut answer) => {
            hostile.edit(&method, &mut answer);
            (StatusCode::OK, hostile.text(&method, answer.to_string()))
        }
        None => (StatusCode::NOT_FOUND, String::new()),
    }
}
