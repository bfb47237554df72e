//! A test server for Horizon's API.

pub mod answers;
pub mod hostile;
pub mod ledger;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;

pub use self::ledger::{Account, Ledger};
use crate::Fault;

#[derive(Clone, Debug)]
pub struct Horizon {
    pub url: String,
    ledger: Arc<Mutex<Ledger>>,
}

type Shared = Arc<Mutex<Ledger>>;
type Pairs = Query<Vec<(String, String)>>;

impl Horizon {
    /// Serves until the runtime ends.
    pub async fn start() -> Self {
        let ledger = Shared::default();
        let router = Router::new()
            .route(
                "/",
                get(|State(ledger): State<Shared>| async move {
                    odd(&ledger, "root", |ledger| answers::root(ledger.behind("root"))).await
                }),
            )
            .route("/accounts/{id}", get(account))
            .route("/accounts/{id}/payments", get(payments))
            .route("/accounts/{id}/transactions", get(transactions))
            .route("/operations/{id}/effects", get(effects))
            .route("/ledgers", get(ledgers))
            .route("/ledgers/{sequence}", get(one_ledger))
            .route(
                "/fee_stats",
                get(|State(ledger): State<Shared>| async move { json(answers::fee_stats(&ledger.lock())) }),
            )
            .route("/transactions/{hash}", get(transaction))
            .route("/transactions/{hash}/operations", get(operations))
            .route("/transactions_async", post(submit))
            .fallback(async || json(answers::not_found()))
            .layer(from_fn_with_state(Arc::clone(&ledger), fail))
            .with_state(Arc::clone(&ledger));
        Self { url: crate::serve(router).await, ledger }
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock()
    }
}

fn json((status, value): (StatusCode, Value)) -> Response {
    let kind = if status.is_success() {
        "application/hal+json; charset=utf-8"
    } else {
        "application/problem+json; charset=utf-8"
    };
    (status, [(header::CONTENT_TYPE, kind)], value.to_string()).into_response()
}

/// An answer that may be hostile.
async fn odd(ledger: &Shared, call: &str, answer: impl FnOnce(&Ledger) -> answers::Answer) -> Response {
    let pause = ledger.lock().hostile.pause(call);
    tokio::time::sleep(pause).await;
    let ledger = ledger.lock();
    if let Some((status, text)) = ledger.hostile.refusal(call, None) {
        return (StatusCode::from_u16(status).expect("a status"), text).into_response();
    }
    let (status, mut value) = answer(&ledger);
    ledger.hostile.edit(call, &mut value);
    let text = ledger.hostile.bytes(call, value.to_string());
    (status, [(header::CONTENT_TYPE, "application/hal+json; charset=utf-8")], text).into_response()
}

async fn fail(State(ledger): State<Shared>, request: Request, next: Next) -> Response {
    let fault = {
        let mut ledger = ledger.lock();
        ledger.requests += 1;
        ledger.fault
    };
    match fault {
        Fault::None => next.run(request).await,
        Fault::Down => json(answers::problem(
            StatusCode::SERVICE_UNAVAILABLE,
            "stale_history",
            "Historical DB Is Too Stale",
        )),
        Fault::Limited => json(answers::problem(
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limit_exceeded",
            "Rate Limit Exceeded",
        )),
        Fault::Garbled => (StatusCode::OK, r#"{"_links": {"#).into_response(),
    }
}

async fn account(State(ledger): State<Shared>, Path(id): Path<String>) -> Response {
    let mut answer = odd(&ledger, "account", |ledger| answers::account(ledger.behind("account"), &id)).await;
    let ledger = ledger.lock();
    let ledger = ledger.behind("account");
    if ledger.names_ledger {
        answer.headers_mut().insert("Latest-Ledger", ledger.last.into());
    }
    answer
}

async fn transactions(State(ledger): State<Shared>, Path(id): Path<String>, Query(query): Pairs) -> Response {
    odd(&ledger, "transactions", |ledger| answers::transactions(ledger.behind("transactions"), &id, &query))
        .await
}

async fn payments(State(ledger): State<Shared>, Path(id): Path<String>, Query(query): Pairs) -> Response {
    odd(&ledger, "payments", |ledger| answers::payments(ledger, &id, &query)).await
}

async fn ledgers(State(ledger): State<Shared>, Query(query): Pairs) -> Response {
    odd(&ledger, "ledgers", |ledger| answers::ledgers(ledger.behind("ledgers"), &query)).await
}

async fn one_ledger(State(ledger): State<Shared>, Path(sequence): Path<u32>) -> Response {
    odd(&ledger, "ledger", |ledger| answers::one_ledger(ledger.behind("ledgers"), sequence)).await
}

async fn effects(State(ledger): State<Shared>, Path(id): Path<String>, Query(query): Pairs) -> Response {
    odd(&ledger, "effects", |ledger| answers::effects(ledger, &id, &query)).await
}

async fn transaction(State(ledger): State<Shared>, Path(hash): Path<String>) -> Response {
    odd(&ledger, "transaction", |ledger| answers::transaction(ledger.behind("transaction"), &hash)).await
}

async fn operations(State(ledger): State<Shared>, Path(hash): Path<String>, Query(query): Pairs) -> Response {
    odd(&ledger, "operations", |ledger| answers::operations(ledger, &hash, &query)).await
}

async fn submit(State(ledger): State<Shared>, body: String) -> Response {
    // The form has one field; only these characters are escaped in its value.
    let value = body
        .strip_prefix("tx=")
        .map(|value| value.replace("%2B", "+").replace("%2F", "/").replace("%3D", "="));
    json(answers::submit(&mut ledger.lock(), value.as_deref()))
}
