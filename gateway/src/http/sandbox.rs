//! `POST /sandbox/…`: the control API of the simulated world. No credentials; there only with `--sandbox`.
//!
//! Bodies must be `application/json` and there is no CORS, so pages of other sites cannot reach it.

pub(super) mod operations;

use axum::Json;
use axum::extract::State;
use checkout_core::wire::list_rates::ExchangeRate;
use checkout_core::wire::sandbox::{ChainHeight, FlaggedSender, GatewayTime, SentTransfer};

use super::Shared;
use super::body::Body;
use super::problem::Refusal;
use crate::domain::sandbox_request::{TransferRequest, read_flag, read_network, read_rate};
use crate::service::App;
use crate::service::sandbox::{self, Sandbox};

/// Blocks that one request mines or drops.
const MOST_BLOCKS: u64 = 1000;

/// Ten years.
const MOST_SECONDS: u64 = 315_360_000;

pub(super) async fn transfers(
    State(app): State<Shared>,
    Body(mut fields): Body,
) -> Result<Json<SentTransfer>, Refusal> {
    let request = TransferRequest::read(&mut fields);
    let Some(request) = request else { return Err(Refusal::invalid(fields.into_faults())) };
    let transaction_id = sandbox::send(&app, world(&app)?, &request).await?;
    Ok(Json(SentTransfer { transaction_id }))
}

pub(super) async fn blocks(
    State(app): State<Shared>,
    Body(mut fields): Body,
) -> Result<Json<ChainHeight>, Refusal> {
    let network = read_network(&mut fields);
    fields.require("count");
    let count = fields.integer("count", 1, MOST_BLOCKS).and_then(|count| u32::try_from(count).ok());
    let (Some(network), Some(count)) = (network, count) else {
        return Err(Refusal::invalid(fields.into_faults()));
    };
    let height = sandbox::mine(&app, world(&app)?, network, count).await?;
    Ok(Json(ChainHeight { network: network.code().to_owned(), height }))
}

pub(super) async fn reorgs(
    State(app): State<Shared>,
    Body(mut fields): Body,
) -> Result<Json<ChainHeight>, Refusal> {
    let network = read_network(&mut fields);
    fields.require("depth");
    let depth = fields.integer("depth", 1, MOST_BLOCKS).and_then(|depth| u32::try_from(depth).ok());
    let (Some(network), Some(depth)) = (network, depth) else {
        return Err(Refusal::invalid(fields.into_faults()));
    };
    let height = sandbox::reorganise(&app, world(&app)?, network, depth).await?;
    Ok(Json(ChainHeight { network: network.code().to_owned(), height }))
}

pub(super) async fn drops(
    State(app): State<Shared>,
    Body(mut fields): Body,
) -> Result<Json<SentTransfer>, Refusal> {
    let Some(id) = fields.required_text("transactionId") else {
        return Err(Refusal::invalid(fields.into_faults()));
    };
    if !sandbox::drop_transfer(&app, world(&app)?, &id).await? {
        return Err(Refusal::not_found("There is no such transfer."));
    }
    Ok(Json(SentTransfer { transaction_id: id }))
}

pub(super) async fn flags(
    State(app): State<Shared>,
    Body(mut fields): Body,
) -> Result<Json<FlaggedSender>, Refusal> {
    let Some((network, address, flagged)) = read_flag(&mut fields) else {
        return Err(Refusal::invalid(fields.into_faults()));
    };
    sandbox::flag(&app, world(&app)?, network, &address, flagged).await?;
    Ok(Json(FlaggedSender { network: network.code().to_owned(), address, flagged }))
}

pub(super) async fn clock(
    State(app): State<Shared>,
    Body(mut fields): Body,
) -> Result<Json<GatewayTime>, Refusal> {
    fields.require("advanceSeconds");
    let Some(seconds) = fields.integer("advanceSeconds", 0, MOST_SECONDS) else {
        return Err(Refusal::invalid(fields.into_faults()));
    };
    let now = sandbox::advance_clock(&app, world(&app)?, seconds).await?;
    Ok(Json(GatewayTime { now }))
}

pub(super) async fn rates(
    State(app): State<Shared>,
    Body(mut fields): Body,
) -> Result<Json<ExchangeRate>, Refusal> {
    let Some((from, to, rate)) = read_rate(&mut fields) else {
        return Err(Refusal::invalid(fields.into_faults()));
    };
    sandbox::set_rate(&app, world(&app)?, from, to, rate).await?;
    Ok(Json(ExchangeRate { from: from.code().to_owned(), to: to.code().to_owned(), rate: rate.to_string() }))
}

fn world(app: &App) -> Result<&Sandbox, Refusal> {
    app.sandbox.as_ref().ok_or_else(Refusal::no_route)
}
