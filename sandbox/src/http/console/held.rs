//! The operator's decisions about flagged deposits.

use axum::Extension;
use axum::Json;
use checkout_domain::chain::screening::Decision;
use checkout_gateway::http::body::{Body, Nothing};
use checkout_gateway::http::problem::Refusal;
use checkout_gateway::service::screen_deposits::Decided;
use serde_json::{Value, json};

use super::{Named, named, none};
use crate::console::held;
use crate::http::Shared;

pub(super) async fn release(
    Extension(world): Extension<Shared>,
    name: Named,
    body: Body<Nothing>,
) -> Result<Json<Value>, Refusal> {
    body.read(|_| Some(()))?;
    decide(&world, name, Decision::Release).await
}

pub(super) async fn refuse(
    Extension(world): Extension<Shared>,
    name: Named,
    body: Body<Nothing>,
) -> Result<Json<Value>, Refusal> {
    body.read(|_| Some(()))?;
    decide(&world, name, Decision::Refuse).await
}

async fn decide(world: &Shared, name: Named, decision: Decision) -> Result<Json<Value>, Refusal> {
    let id = named(name, "deposit")?;
    let decided = held::decide(world, id, decision).await?;
    match decided.refusal() {
        None => Ok(Json(json!({"id": id.to_string()}))),
        Some(_) if decided == Decided::NoDeposit => Err(none("deposit")),
        Some(why) => Err(Refusal::conflict("decided", "There is nothing to decide", &why)),
    }
}
