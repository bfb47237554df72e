//! `GET /api/v1/fees/withdraw/{coin}?displayCurrency=EUR`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_core::wire::texts::FiatCode;
use checkout_core::wire::withdraw_fees::WithdrawFees;
use checkout_domain::rates::fiat::Fiat;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Shared;
use super::openapi::operation::Describe as _;
use super::openapi::tag;
use super::parameters::Parameters;
use super::problem::Refusal;
use crate::service::refused::Refused;
use crate::service::withdraw_fees;

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Fees and minimums of withdrawals. The service does not cover on-chain withdrawal fees.";
    operation
        .id("getWithdrawFees")
        .tag(tag::MARKET)
        .summary("Get withdrawal fees and minimums")
        .description(about)
        .refuses(400, &["unreadable_body"])
        .refuses(404, &["not_found"])
        .refuses(503, &["no_rate"])
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct FeesPath {
    /// A coin, several separated by commas, or `ALL`.
    #[schemars(example = &"BTC")]
    coin: String,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
#[expect(dead_code, reason = "for the document; the handler reads fields")]
pub(super) struct FeesQuery {
    /// Fiat currency of the display amounts.
    #[schemars(with = "FiatCode", skip_serializing_if = "Option::is_none", example = &"EUR", extend("default" = "EUR"))]
    display_currency: Option<String>,
}

pub(super) async fn handle(
    State(app): State<Shared>,
    path: Result<Path<FeesPath>, PathRejection>,
    query: Parameters<FeesQuery>,
) -> Result<Json<WithdrawFees>, Refusal> {
    let coins = path.ok().and_then(|Path(path)| withdraw_fees::coins(&path.coin, &app.opt_ins()));
    let coins = coins.ok_or_else(|| Refusal::not_found("The coin is unknown. `ALL` means all coins."))?;
    let fiat = query.read(|fields| {
        let fiat = fields.parsed("displayCurrency", "unknown_currency", "is not a known fiat currency");
        Some(fiat.unwrap_or(Fiat::EUR))
    })?;
    let fees = withdraw_fees::list(&app, &coins, fiat).map_err(|_| Refused::NoRate)?;
    Ok(Json(fees))
}
