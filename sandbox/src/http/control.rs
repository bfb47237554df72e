//! `POST /sandbox/…`: the control API of the simulated world. It needs no credentials and exists only with `--sandbox`.
//!
//! Bodies must be `application/json` and there is no CORS, so pages of other sites cannot reach it.

pub(super) mod operations;

use std::sync::Arc;

use aide::axum::ApiRouter;
use aide::axum::routing::post_with as post;
use axum::Extension;
use axum::Json;
use checkout_core::wire::list_rates::ExchangeRate;
use checkout_core::wire::sandbox::{ChainHeight, FlaggedSender, GatewayTime, SentTransfer, SetFee};

use super::Shared;
use crate::requests::{TransferRequest, read_fee, read_flag, read_network, read_rate};
use crate::world;
use checkout_gateway::http::body::Body;
use checkout_gateway::http::problem::Refusal;
use checkout_gateway::service::App;
use checkout_gateway::service::record_transfers::Failed;

/// Maximum number of blocks that one request mines or drops.
const MOST_BLOCKS: u64 = 1000;

/// Ten years.
const MOST_SECONDS: u64 = 315_360_000;

#[rustfmt::skip]
pub(super) fn routes() -> ApiRouter<Arc<App>> {
    ApiRouter::new()
        .api_route("/sandbox/transfers", post(transfers, operations::transfers))
        .api_route("/sandbox/blocks", post(blocks, operations::blocks))
        .api_route("/sandbox/reorgs", post(reorgs, operations::reorgs))
        .api_route("/sandbox/drops", post(drops, operations::drops))
        .api_route("/sandbox/reverts", post(reverts, operations::reverts))
        .api_route("/sandbox/fees", post(fees, operations::fees))
        .api_route("/sandbox/flags", post(flags, operations::flags))
        .api_route("/sandbox/clock", post(clock, operations::clock))
        .api_route("/sandbox/rates", post(rates, operations::rates))
}

async fn transfers(
    Extension(world): Extension<Shared>,
    Body(mut fields): Body,
) -> Result<Json<SentTransfer>, Refusal> {
    let request = TransferRequest::read(&mut fields);
    let Some(request) = request else { return Err(Refusal::invalid(fields.into_errors())) };
    let Some(transaction_id) = world::send(&world, &request).await? else {
        fields.error("transactionId", "unknown_transaction", "is not a pending transaction of this network");
        return Err(Refusal::invalid(fields.into_errors()));
    };
    Ok(Json(SentTransfer { transaction_id }))
}

async fn blocks(
    Extension(world): Extension<Shared>,
    Body(mut fields): Body,
) -> Result<Json<ChainHeight>, Refusal> {
    let network = read_network(&mut fields);
    fields.require("count");
    let count = fields.integer("count", 1, MOST_BLOCKS).and_then(|count| u32::try_from(count).ok());
    let (Some(network), Some(count)) = (network, count) else {
        return Err(Refusal::invalid(fields.into_errors()));
    };
    let height = world::mine(&world, network, count).await?;
    Ok(Json(ChainHeight { network: network.code().to_owned(), height }))
}

async fn reorgs(
    Extension(world): Extension<Shared>,
    Body(mut fields): Body,
) -> Result<Json<ChainHeight>, Refusal> {
    let network = read_network(&mut fields);
    fields.require("depth");
    let depth = fields.integer("depth", 1, MOST_BLOCKS).and_then(|depth| u32::try_from(depth).ok());
    let (Some(network), Some(depth)) = (network, depth) else {
        return Err(Refusal::invalid(fields.into_errors()));
    };
    let height = world::reorganise(&world, network, depth).await?;
    Ok(Json(ChainHeight { network: network.code().to_owned(), height }))
}

async fn drops(
    Extension(world): Extension<Shared>,
    Body(mut fields): Body,
) -> Result<Json<SentTransfer>, Refusal> {
    let Some(id) = fields.required_text("transactionId") else {
        return Err(Refusal::invalid(fields.into_errors()));
    };
    if !world::drop_transfer(&world, &id).await? {
        return Err(Refusal::not_found("There is no such transfer."));
    }
    Ok(Json(SentTransfer { transaction_id: id }))
}

async fn reverts(
    Extension(world): Extension<Shared>,
    Body(mut fields): Body,
) -> Result<Json<SentTransfer>, Refusal> {
    let Some(id) = fields.required_text("transactionId") else {
        return Err(Refusal::invalid(fields.into_errors()));
    };
    if !world::revert(&world, &id).await? {
        return Err(Refusal::not_found("There is no such transaction."));
    }
    Ok(Json(SentTransfer { transaction_id: id }))
}

async fn fees(Extension(world): Extension<Shared>, Body(mut fields): Body) -> Result<Json<SetFee>, Refusal> {
    let Some((network, fee)) = read_fee(&mut fields) else {
        return Err(Refusal::invalid(fields.into_errors()));
    };
    world.sandbox.simulator.set_fee(network, fee).await.map_err(Failed::Chain)?;
    Ok(Json(SetFee { network: network.code().to_owned(), fee: fee.to_string() }))
}

async fn flags(
    Extension(world): Extension<Shared>,
    Body(mut fields): Body,
) -> Result<Json<FlaggedSender>, Refusal> {
    let Some((network, address, flagged)) = read_flag(&mut fields) else {
        return Err(Refusal::invalid(fields.into_errors()));
    };
    world::flag(&world, network, &address, flagged).await?;
    Ok(Json(FlaggedSender { network: network.code().to_owned(), address, flagged }))
}

async fn clock(
    Extension(world): Extension<Shared>,
    Body(mut fields): Body,
) -> Result<Json<GatewayTime>, Refusal> {
    fields.require("advanceSeconds");
    let Some(seconds) = fields.integer("advanceSeconds", 0, MOST_SECONDS) else {
        return Err(Refusal::invalid(fields.into_errors()));
    };
    let now = world::advance_clock(&world, seconds).await?;
    Ok(Json(GatewayTime { now }))
}

async fn rates(
    Extension(world): Extension<Shared>,
    Body(mut fields): Body,
) -> Result<Json<ExchangeRate>, Refusal> {
    let Some((from, to, rate)) = read_rate(&mut fields) else {
        return Err(Refusal::invalid(fields.into_errors()));
    };
    world::set_rate(&world, from, to, rate).await?;
    Ok(Json(ExchangeRate { from: from.code().to_owned(), to: to.code().to_owned(), rate: rate.to_string() }))
}
