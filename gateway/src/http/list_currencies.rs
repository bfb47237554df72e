//! `GET /api/v1/currencies`

use axum::Json;
use checkout_core::wire::list_currencies::CurrencyInfo;

use crate::service::list_currencies;

pub(super) async fn handle() -> Json<Vec<CurrencyInfo>> {
    Json(list_currencies::list())
}
