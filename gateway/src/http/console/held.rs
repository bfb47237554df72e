//! What an operator decides of a flagged deposit.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::{Named, named, none};
use crate::domain::chain::screening::Decision;
use crate::http::Shared;
use crate::http::body::Body;
use crate::http::problem::Refusal;
use crate::service::console::held;
use crate::service::screen_deposits::Decided;

pub(super) async fn release(
    State(app): State<Shared>,
    name: Named,
    Body(_): Body,
) -> Result<Json<Value>, Refusal> {
    decide(&app, name, Decision::Release).await
}

pub(super) async fn refuse(
    State(app): State<Shared>,
    name: Named,
    Body(_): Body,
) -> Result<Json<Value>, Refusal> {
    decide(&app, name, Decision::Refuse).await
}

async fn decide(app: &Shared, name: Named, decision: Decision) -> Result<Json<Value>, Refusal> {
    let id = named(name, "deposit")?;
    let decided = held::decide(app, id, decision).await?;
    match decided.refusal() {
        None => Ok(Json(json!({"id": id.to_string()}))),
        Some(_) if decided == Decided::NoDeposit => Err(none("deposit")),
        Some(why) => Err(Refusal::conflict("decided", "There is nothing to decide", &why)),
    }
}
