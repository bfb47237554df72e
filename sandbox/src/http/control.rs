//! `POST /sandbox/…`: the control API of the simulated world. It needs no credentials and exists only with `--sandbox`.
//!
//! Bodies must be `application/json` and there is no CORS, so pages of other sites cannot reach it.

pub(super) mod operations;

use std::sync::Arc;

use aide::axum::ApiRouter;
use aide::axum::routing::post_with as post;
use axum::Extension;
use axum::Json;
use checkout_gateway::http::body::Body;
use checkout_gateway::http::problem::Refusal;
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::record_transfers::RecordError;
use checkout_simulator::requests::{
    TransferRequest, read_count, read_fee, read_flag, read_network, read_rate,
};
use checkout_simulator::world;
use checkout_wire::FieldError;
use checkout_wire::list_rates::ExchangeRate;
use checkout_wire::sandbox::{
    AdvanceClock, ChainHeight, DropBlocks, DropTransfer, FlagSender, FlaggedSender, GatewayTime, MineBlocks,
    RevertTransaction, SendTransfer, SentTransfer, SetFee, SetRate,
};

use super::Shared;

/// Maximum number of blocks that one request mines or drops.
const MOST_BLOCKS: u32 = 1000;

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
    body: Body<SendTransfer>,
) -> Result<Json<SentTransfer>, Refusal> {
    let request = body.read(TransferRequest::read)?;
    let Some(transaction_id) = world::send(&world, &request).await? else {
        return Err(Refusal::invalid(vec![FieldError {
            pointer: "/transactionId".to_owned(),
            code: "unknown_transaction".to_owned(),
            detail: "is not a pending transaction of this network".to_owned(),
        }]));
    };
    Ok(Json(SentTransfer { transaction_id }))
}

async fn blocks(
    Extension(world): Extension<Shared>,
    body: Body<MineBlocks>,
) -> Result<Json<ChainHeight>, Refusal> {
    let (network, count) =
        body.read(|fields| read_network(fields).zip(read_count(fields, "count", MOST_BLOCKS)))?;
    let height = world::mine(&world, network, count).await?;
    Ok(Json(ChainHeight { network: network.into(), height }))
}

async fn reorgs(
    Extension(world): Extension<Shared>,
    body: Body<DropBlocks>,
) -> Result<Json<ChainHeight>, Refusal> {
    let (network, depth) =
        body.read(|fields| read_network(fields).zip(read_count(fields, "depth", MOST_BLOCKS)))?;
    let height = world::reorganise(&world, network, depth).await?;
    Ok(Json(ChainHeight { network: network.into(), height }))
}

async fn drops(
    Extension(world): Extension<Shared>,
    body: Body<DropTransfer>,
) -> Result<Json<SentTransfer>, Refusal> {
    let transaction_id = body.read(|fields| fields.required_text("transactionId"))?;
    if !world::drop_transfer(&world, &transaction_id).await? {
        return Err(Refusal::not_found("There is no such transfer."));
    }
    Ok(Json(SentTransfer { transaction_id }))
}

async fn reverts(
    Extension(world): Extension<Shared>,
    body: Body<RevertTransaction>,
) -> Result<Json<SentTransfer>, Refusal> {
    let transaction_id = body.read(|fields| fields.required_text("transactionId"))?;
    if !world::revert(&world, &transaction_id).await? {
        return Err(Refusal::not_found("There is no such transaction."));
    }
    Ok(Json(SentTransfer { transaction_id }))
}

async fn fees(Extension(world): Extension<Shared>, body: Body<SetFee>) -> Result<Json<SetFee>, Refusal> {
    let (network, fee) = body.read(read_fee)?;
    world.sandbox.simulator.set_fee(network, fee).await.map_err(RecordError::Chain)?;
    Ok(Json(SetFee { network: network.into(), fee: fee.to_string().into() }))
}

async fn flags(
    Extension(world): Extension<Shared>,
    body: Body<FlagSender>,
) -> Result<Json<FlaggedSender>, Refusal> {
    let (network, address, flagged) = body.read(read_flag)?;
    world.sandbox.simulator.flag(network, &address, flagged).await.map_err(RecordError::Chain)?;
    Ok(Json(FlaggedSender { network: network.into(), address: address.into(), flagged }))
}

async fn clock(
    Extension(world): Extension<Shared>,
    body: Body<AdvanceClock>,
) -> Result<Json<GatewayTime>, Refusal> {
    let seconds = body.read(|fields| {
        fields.require("advanceSeconds");
        fields.integer("advanceSeconds", 0, MOST_SECONDS)
    })?;
    let now = world::advance_clock(&world, seconds).await?;
    Ok(Json(GatewayTime { now: now.into() }))
}

async fn rates(
    Extension(world): Extension<Shared>,
    body: Body<SetRate>,
) -> Result<Json<ExchangeRate>, Refusal> {
    let (from, to, rate) = body.read(read_rate)?;
    world::set_rate(&world, from, to, rate).await?;
    Ok(Json(ExchangeRate { from: from.code().into(), to: to.code().into(), rate: rate.to_string().into() }))
}
