//! `GET /api/v1/currencies`

use axum::Json;
use checkout_core::wire::list_currencies::CurrencyInfo;

use super::openapi::operation::{Operation, Tag};
use crate::service::list_currencies;

pub(super) fn operation() -> Operation {
    let about = "Every currency with its networks: decimals, minimum and maximum of withdrawals, tags.";
    Operation::new("listCurrencies", Tag::Market, "List currencies", about)
        .answers::<Vec<CurrencyInfo>>(200, "The table.")
}

pub(super) async fn handle() -> Json<Vec<CurrencyInfo>> {
    Json(list_currencies::list())
}
