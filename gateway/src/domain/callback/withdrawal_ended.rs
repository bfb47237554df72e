//! The body of the withdrawal callback, interface section 6.2.

use checkout_core::wire::create_withdrawal::WithdrawalStatus;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::body::Number;
use crate::domain::withdrawal::Withdrawal;

#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "WithdrawalEnded")]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[schemars(extend("enum" = ["COMPLETED", "FAILED", "BLOCKED"]))]
    status: &'a str,
    client_withdrawal_id: &'a str,
    business_id: String,
    withdrawal_id: String,
    display_currency: &'a str,
    withdraw_currency: &'a str,
    settlement_currency: &'a str,
    expected_display_amount: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual_display_amount: Option<Number>,
    estimated_withdraw_amount: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual_withdraw_amount: Option<Number>,
    /// As the interface's schema spells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    deduced_settlement_amount: Option<Number>,
    /// As the interface's example spells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    deducted_settlement_amount: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    withdraw_fee: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_fee: Option<Number>,
    to_tx_address: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_id: Option<&'a str>,
    tx_address_owner: Owner<'a>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct Owner<'a> {
    name: &'a str,
    category: &'a str,
}

/// Whose address it is when the screening did not come to it.
const UNKNOWN: Owner<'static> = Owner { name: "Unknown", category: "UNKNOWN" };

/// What [`body`] writes, as a JSON Schema.
pub fn schema(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Body<'static>>()
}

/// The bytes of the callback. What really was sent, deducted and paid is said of a COMPLETED withdrawal only;
/// the others took nothing.
pub fn body(withdrawal: &Withdrawal, both_spellings: bool) -> String {
    let fiat = withdrawal.display_currency;
    let decimals = withdrawal.pair.decimals;
    let sent = withdrawal.status == WithdrawalStatus::Completed;
    let done = |text: String| sent.then(|| Number::new(&text));
    let deducted = || done(withdrawal.deducted.to_string());
    let body = Body {
        status: withdrawal.status.as_str(),
        client_withdrawal_id: &withdrawal.client_withdrawal_id,
        business_id: withdrawal.business.to_string(),
        withdrawal_id: withdrawal.id.to_string(),
        display_currency: fiat.code(),
        withdraw_currency: withdrawal.pair.currency.code(),
        settlement_currency: withdrawal.deducted.asset.code(),
        expected_display_amount: Number::new(&fiat.text(withdrawal.display_amount)),
        actual_display_amount: done(fiat.text(withdrawal.display_amount)),
        estimated_withdraw_amount: Number::new(&withdrawal.amount.to_text(decimals)),
        actual_withdraw_amount: done(withdrawal.amount.to_text(decimals)),
        deduced_settlement_amount: deducted(),
        deducted_settlement_amount: deducted().filter(|_| both_spellings),
        withdraw_fee: done(withdrawal.fee.to_text(decimals)),
        display_fee: done(fiat.text(withdrawal.display_fee)),
        to_tx_address: &withdrawal.recipient,
        transaction_id: withdrawal.transaction_id.as_deref().filter(|_| sent),
        tx_address_owner: withdrawal
            .owner
            .as_ref()
            .map_or(UNKNOWN, |owner| Owner { name: &owner.name, category: &owner.category }),
    };
    serde_json::to_string(&body).expect("texts and numbers are JSON")
}
