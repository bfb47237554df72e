//! `GET /healthz` and `GET /readyz`, for supervisors and load balancers.

use std::sync::atomic::Ordering;

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::Shared;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::service::state::readiness::{self, NotReady};

/// The state of the gateway.
#[derive(JsonSchema, Serialize)]
pub(in crate::http) struct Health {
    /// `ok` or `ready`.
    status: &'static str,
    /// Warnings for the operator; the gateway works.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub(in crate::http) const PROXY: &str = "Requests carry X-Forwarded-For, but `[limits] trusted_proxies` is 0: rate limits count all clients of \
the proxy as one.";

pub(in crate::http) fn alive_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getHealth")
        .tag(tag::OPERATIONS)
        .summary("Is the process alive?")
        .description("The process answers.")
}

pub(in crate::http) fn ready_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getReadiness")
        .tag(tag::OPERATIONS)
        .summary("Is the gateway ready?")
        .description("The store can be written, no background work is at fault, and at least one network can be paid on.")
        .refuses(503, &["store_unavailable", "background_fault", "no_network"])
}

/// The process answers.
pub(in crate::http) async fn alive() -> Json<Health> {
    Json(Health { status: "ok", warnings: Vec::new() })
}

/// It can do its work.
pub(in crate::http) async fn ready(State(app): State<Shared>) -> Result<Json<Health>, Refusal> {
    readiness::check(&app).await?;
    let proxy = app.state.proxy_seen.load(Ordering::Relaxed).then(|| PROXY.to_owned());
    let networks = readiness::unavailable(&app).into_iter().map(|(network, why)| format!("{network}: {why}"));
    let unread = readiness::unread(&app).await?;
    let lacks = readiness::lacking(&app).await?;
    let warnings = proxy.into_iter().chain(networks).chain(unread).chain(lacks).collect();
    Ok(Json(Health { status: "ready", warnings }))
}

impl From<NotReady> for Refusal {
    fn from(not_ready: NotReady) -> Self {
        match not_ready {
            NotReady::Store => {
                let detail = "The store cannot be written.";
                Self::unavailable("store_unavailable", "The store is not available", detail)
            }
            NotReady::Background(work) => {
                let detail = format!("There is a fault in: {}. The log says which.", work.join(", "));
                Self::unavailable("background_fault", "The background work is at fault", detail)
            }
            NotReady::Networks(faults) => {
                let faults: Vec<String> =
                    faults.iter().map(|(network, fault)| format!("{network}: {fault}")).collect();
                let detail =
                    if faults.is_empty() { "No chain is configured.".to_owned() } else { faults.join("; ") };
                Self::unavailable("no_network", "No network can be paid on", detail)
            }
        }
    }
}
