//! `GET /api/v1/currencies`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_core::pair::EVERY_PAIR;
use checkout_wire::list_currencies::CurrencyInfo;

use super::Shared;
use super::body::Nothing;
use super::openapi::operation::Describe as _;
use super::openapi::tag;
use super::parameters::Parameters;
use super::problem::Refusal;
use crate::render::currencies;
use crate::service::network_fee;

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "All currencies with their networks, decimals, tags and withdrawal limits.";
    operation
        .id("listCurrencies")
        .tag(tag::MARKET)
        .summary("List currencies")
        .description(about)
        .answers::<Vec<CurrencyInfo>>(200, "The currencies.")
}

pub(super) async fn handle(
    State(app): State<Shared>,
    query: Parameters<Nothing>,
) -> Result<Json<Vec<CurrencyInfo>>, Refusal> {
    query.read(|_| Some(()))?;
    let fees = network_fee::of_all(&app, EVERY_PAIR.iter().filter(|pair| !pair.opt_in)).await;
    Ok(Json(currencies::list(&fees)))
}
