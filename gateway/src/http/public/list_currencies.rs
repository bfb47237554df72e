//! `GET /api/v1/currencies`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_core::pair::EVERY_PAIR;
use checkout_wire::list_currencies::CurrencyInfo;

use crate::http::Shared;
use crate::http::body::Nothing;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::render::currencies;
use crate::service::payouts::network_fee;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "All currencies with their networks, decimals, tags and withdrawal limits.";
    operation
        .id("listCurrencies")
        .tag(tag::MARKET)
        .summary("List currencies")
        .description(about)
        .answers::<Vec<CurrencyInfo>>(200, "The currencies.")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    query: Parameters<Nothing>,
) -> Result<Json<Vec<CurrencyInfo>>, Refusal> {
    query.read(|_| Some(()))?;
    let fees = network_fee::of_all(&app, EVERY_PAIR.iter().filter(|pair| !pair.opt_in)).await;
    Ok(Json(currencies::list(&fees)))
}
