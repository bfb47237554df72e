//! The body of the withdrawal callback, interface section 6.2.

use checkout_core::wire::create_withdrawal::WithdrawalStatus;
use checkout_core::wire::texts::{AssetCode, BusinessId, ClientId, CurrencyCode, FiatCode, WithdrawalId};
use checkout_domain::withdrawal::Withdrawal;
use schemars::JsonSchema;
use serde::Serialize;

use super::Event;
use super::number::Number;

pub(super) static EVENT: Event = Event {
    name: "withdrawalEnded",
    title: "Withdrawal ended",
    description: "Sent to `withdrawalCallbackUrl` when a withdrawal is completed, failed or blocked (by the screening or an operator). The amounts sent and \
        charged and the fees are present only if it is `COMPLETED`; otherwise nothing was charged.",
    schema: |generator| generator.subschema_for::<Body<'static>>(),
};

/// A withdrawal that ended. The actual amounts, the fee and the transaction are present only if it is `COMPLETED`.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "WithdrawalEnded")]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    /// Outcome of the withdrawal.
    #[schemars(extend("enum" = ["COMPLETED", "FAILED", "BLOCKED"]))]
    status: &'a str,
    /// Your id of the withdrawal.
    #[schemars(with = "ClientId")]
    client_withdrawal_id: &'a str,
    /// Identifier of the business.
    business_id: BusinessId,
    /// Identifier of the withdrawal.
    withdrawal_id: WithdrawalId,
    /// Fiat currency of the display amounts.
    #[schemars(with = "FiatCode")]
    display_currency: &'a str,
    /// Cryptocurrency of the withdrawal.
    #[schemars(with = "CurrencyCode")]
    withdraw_currency: &'a str,
    /// Settlement currency of the business.
    #[schemars(with = "AssetCode")]
    settlement_currency: &'a str,
    /// Amount to send, in the display currency.
    expected_display_amount: Number,
    /// Amount sent, in the display currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Number")]
    actual_display_amount: Option<Number>,
    /// Amount to send, in the cryptocurrency.
    estimated_withdraw_amount: Number,
    /// Amount sent, in the cryptocurrency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Number")]
    actual_withdraw_amount: Option<Number>,
    /// Amount charged to the balance, in the settlement currency. The spelling of the name is part of the interface.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Number")]
    deduced_settlement_amount: Option<Number>,
    /// Same as `deducedSettlementAmount`. Only if the gateway is configured to send both spellings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Number")]
    deducted_settlement_amount: Option<Number>,
    /// Fee in the cryptocurrency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Number")]
    withdraw_fee: Option<Number>,
    /// Fee in the display currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Number")]
    display_fee: Option<Number>,
    /// Recipient, as `<address>?dt=<tag>` when there is a tag.
    to_tx_address: &'a str,
    /// Transaction on the chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    transaction_id: Option<&'a str>,
    /// Owner of the recipient address, by the AML screening.
    tx_address_owner: Owner<'a>,
}

/// The owner of an address.
#[derive(Debug, JsonSchema, Serialize)]
struct Owner<'a> {
    /// Owner of the address, such as `Example Exchange`, or `Unknown`.
    name: &'a str,
    /// Kind of owner, such as `EXCHANGE` or `SANCTIONS`, or `UNKNOWN`.
    category: &'a str,
}

/// The owner if the withdrawal was not screened.
const UNKNOWN: Owner<'static> = Owner { name: "Unknown", category: "UNKNOWN" };

/// Returns the bytes of the callback. Only a COMPLETED withdrawal has sent, deducted and paid amounts.
pub fn body(withdrawal: &Withdrawal, both_spellings: bool) -> String {
    let fiat = withdrawal.display_currency;
    let decimals = withdrawal.pair.decimals;
    let sent = withdrawal.status == WithdrawalStatus::Completed;
    let done = |text: String| sent.then(|| Number::new(&text));
    let deducted = || done(withdrawal.deducted.to_string());
    let body = Body {
        status: withdrawal.status.as_str(),
        client_withdrawal_id: &withdrawal.client_withdrawal_id,
        business_id: withdrawal.business.to_string().into(),
        withdrawal_id: withdrawal.id.to_string().into(),
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
