//! The body of the deposit-received callback, interface section 6.1.

use checkout_core::wire::RateType;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::body::Number;
use crate::domain::deposit::Deposit;
use crate::domain::payment::{Payment, Quote};
use crate::domain::settlement::Settlement;

/// The fields in the order of the interface. Every amount is about this one deposit.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "DepositReceived")]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    payment_id: String,
    client_payment_id: &'a str,
    deposit_id: String,
    deposit_address: &'a str,
    from_address: &'a str,
    transaction_id: &'a str,
    network: &'a str,
    deposit_currency: &'a str,
    actual_deposit_amount: Number,
    expected_deposit_amount: String,
    on_chain_fee: Number,
    display_currency: &'a str,
    actual_display_amount: Number,
    expected_display_amount: Number,
    display_service_fee: Number,
    settlement_currency: &'a str,
    settlement_amount: Number,
    settlement_service_fee: Number,
    payment_requested_at: u64,
    payment_received_at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_time: Option<u64>,
    #[schemars(extend("enum" = RateType::KNOWN))]
    rate_type: &'a str,
    #[schemars(extend("enum" = ["CONFIRMED"]))]
    status: &'static str,
}

/// What [`body`] writes, as a JSON Schema.
pub fn schema(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Body<'static>>()
}

/// The bytes of the callback. `quote` is that of the payment.
///
/// `expectedDepositAmount` is a text, as the table of the interface says. A payment that never expires has
/// no `expirationTime`.
pub fn body(payment: &Payment, quote: &Quote, deposit: &Deposit, settlement: &Settlement) -> String {
    let fiat = payment.display_currency;
    let body = Body {
        payment_id: payment.id.to_string(),
        client_payment_id: &payment.client_payment_id,
        deposit_id: deposit.id.to_string(),
        deposit_address: &deposit.to,
        from_address: &deposit.from,
        transaction_id: &deposit.output.transaction,
        network: deposit.output.network.code(),
        deposit_currency: deposit.currency.code(),
        actual_deposit_amount: Number::new(&deposit.amount.to_text(deposit.pair().decimals)),
        expected_deposit_amount: quote.terms.expected.to_text(quote.pair().decimals),
        on_chain_fee: Number::new(&deposit.fee),
        display_currency: fiat.code(),
        actual_display_amount: Number::new(&fiat.text(deposit.display_amount)),
        expected_display_amount: Number::new(&fiat.text(quote.terms.display)),
        display_service_fee: Number::new(&fiat.text(settlement.display_fee(deposit, fiat))),
        settlement_currency: settlement.total.asset.code(),
        settlement_amount: Number::new(&settlement.total.to_string()),
        settlement_service_fee: Number::new(&settlement.total_fee.to_string()),
        payment_requested_at: quote.requested_at,
        payment_received_at: deposit.seen_at,
        expiration_time: payment.window_end(),
        rate_type: deposit.rate_type.as_str(),
        status: "CONFIRMED",
    };
    serde_json::to_string(&body).expect("texts and numbers are JSON")
}
