//! `GET /api/v1/fees/withdraw/{coin}?displayCurrency=EUR`

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use checkout_core::wire::withdraw_fees::WithdrawFees;
use serde::Deserialize;

use super::Shared;
use super::openapi::operation::{Operation, Tag};
use super::problem::Refusal;
use crate::service::refused::Refused;
use crate::service::withdraw_fees;
use serde_json::json;

pub(super) fn operation() -> Operation {
    let about = "Fees and minimums of one coin, of several, or of `ALL`. The service does not cover on-chain withdrawal fees.";
    Operation::new("getWithdrawFees", Tag::Market, "Get withdrawal fees and minimums", about)
        .path("coin", "", "BTC")
        .query(
            "displayCurrency",
            json!({"default": "EUR"}),
            "Fiat currency in which fees and minimums are expressed, too.",
            "EUR",
        )
        .answers::<WithdrawFees>(200, "Fees and minimums.")
        .refuses(400, &["unreadable_body"])
        .refuses(404, &["not_found"])
        .refuses(422, &["validation_failed"])
        .refuses(503, &["no_rate"])
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Question {
    display_currency: Option<String>,
}

pub(super) async fn handle(
    State(app): State<Shared>,
    coin: Result<Path<String>, PathRejection>,
    question: Result<Query<Question>, QueryRejection>,
) -> Result<Json<WithdrawFees>, Refusal> {
    let coins = coin.ok().and_then(|Path(text)| withdraw_fees::coins(&text));
    let coins =
        coins.ok_or_else(|| Refusal::not_found("There is no such coin. `ALL` stands for every one."))?;
    let Query(question) = question.map_err(|_| Refusal::unreadable("The query cannot be read."))?;
    let fiat = withdraw_fees::display_currency(question.display_currency.as_deref());
    let fiat = fiat.map_err(|fault| Refusal::invalid(vec![fault]))?;
    let fees = withdraw_fees::list(&app, &coins, fiat).map_err(|_| Refused::NoRate)?;
    Ok(Json(fees))
}
