//! Withdrawals, whitelist and terms of the sandbox's business. They follow the rules of the API, but the page needs no
//! token.

use axum::Extension;
use axum::Json;
use axum::response::Response;
use checkout_gateway::http::body::Body;
use checkout_gateway::http::problem::Refusal;
use checkout_gateway::http::refused::created;
use checkout_gateway::requests::business::read_changes;
use checkout_gateway::service::manage_businesses;
use checkout_wire as wire;
use checkout_wire::create_withdrawal::CreateWithdrawal;
use checkout_wire::manage_businesses::UpdateBusiness;
use checkout_wire::whitelist_address::WhitelistAddress;

use super::no_business;
use crate::console::money;
use crate::http::Shared;

pub(super) async fn whitelist(
    Extension(world): Extension<Shared>,
    Body(fields, _): Body<WhitelistAddress>,
) -> Result<Response, Refusal> {
    money::whitelist(&world, fields).await?.map(created).ok_or_else(no_business)
}

pub(super) async fn withdraw(
    Extension(world): Extension<Shared>,
    Body(fields, _): Body<CreateWithdrawal>,
) -> Result<Response, Refusal> {
    Box::pin(money::withdraw(&world, fields)).await?.map(created).ok_or_else(no_business)
}

/// Returns 200 even for requests that would be refused, because the form may be incomplete.
pub(super) async fn preview(
    Extension(world): Extension<Shared>,
    Body(fields, _): Body<CreateWithdrawal>,
) -> Result<Json<money::Preview>, Refusal> {
    money::preview(&world, fields).await?.map(Json).ok_or_else(no_business)
}

pub(super) async fn change_business(
    Extension(world): Extension<Shared>,
    body: Body<UpdateBusiness>,
) -> Result<Json<wire::Business>, Refusal> {
    let changes = body.read(|fields| manage_businesses::read(&world.app, fields, read_changes))?;
    money::change_business(&world, changes).await?.map(Json).ok_or_else(no_business)
}
