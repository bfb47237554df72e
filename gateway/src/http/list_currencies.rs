//! `GET /api/v1/currencies`

use aide::transform::TransformOperation;
use axum::Json;
use checkout_core::wire::list_currencies::CurrencyInfo;

use super::openapi::operation::Describe as _;
use super::openapi::tag;
use crate::service::list_currencies;

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "All currencies with their networks, decimals, tags and withdrawal limits.";
    operation
        .id("listCurrencies")
        .tag(tag::MARKET)
        .summary("List currencies")
        .description(about)
        .answers::<Vec<CurrencyInfo>>(200, "The currencies.")
}

pub(super) async fn handle() -> Json<Vec<CurrencyInfo>> {
    Json(list_currencies::list())
}
