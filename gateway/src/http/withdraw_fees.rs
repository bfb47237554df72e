//! `GET /api/v1/fees/withdraw/{coin}?displayCurrency=EUR`

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use checkout_core::wire::withdraw_fees::WithdrawFees;
use serde::Deserialize;

use super::Shared;
use super::problem::Refusal;
use crate::service::refused::Refused;
use crate::service::withdraw_fees;

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
