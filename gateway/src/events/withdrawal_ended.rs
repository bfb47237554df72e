//! The body of the withdrawal callback, interface section 6.2.

use checkout_domain::business::Business;
use checkout_domain::callback::Kind;
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::texts::{AssetCode, BusinessId, ClientId, CurrencyCode, FiatCode, WithdrawalId};
use schemars::JsonSchema;
use serde::Serialize;

use super::number::Number;
use super::{About, Event};

/// A withdrawal that ended. The actual amounts, the fee and the transaction are present only if it is `COMPLETED`.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalEnded<'a> {
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
    pub(super) transaction_id: Option<&'a str>,
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

impl Event for WithdrawalEnded<'_> {
    const ABOUT: About = About {
        kind: Kind::new("WITHDRAWAL"),
        name: "withdrawalEnded",
        title: "Withdrawal ended",
        description: "Sent to `withdrawalCallbackUrl` when a withdrawal is completed, failed or blocked (by the screening or an operator). The amounts sent and \
            charged and the fees are present only if it is `COMPLETED`; otherwise nothing was charged.",
    };

    fn url(business: &Business) -> Option<&str> {
        business.withdrawal_callback.as_deref()
    }

    fn example() -> Self {
        Self {
            status: "COMPLETED",
            client_withdrawal_id: "payout-7",
            business_id: "01a3185c-50fa-7000-8000-000000000002".into(),
            withdrawal_id: "01a3185c-50fa-7000-8000-000000000014".into(),
            display_currency: "EUR",
            withdraw_currency: "ETH",
            settlement_currency: "EUR",
            expected_display_amount: Number::new("60.00"),
            actual_display_amount: Some(Number::new("60.00")),
            estimated_withdraw_amount: Number::new("0.02"),
            actual_withdraw_amount: Some(Number::new("0.02")),
            deduced_settlement_amount: Some(Number::new("61.86")),
            deducted_settlement_amount: None,
            withdraw_fee: Some(Number::new("0.0006")),
            display_fee: Some(Number::new("1.80")),
            to_tx_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            transaction_id: Some("0x7fc492ba8291635c1e7307492fb26947369b16589a3abb7de4722ef4ac8ccf93"),
            tx_address_owner: UNKNOWN,
        }
    }
}

impl<'a> WithdrawalEnded<'a> {
    /// Only a COMPLETED withdrawal has sent, deducted and paid amounts.
    pub fn new(withdrawal: &'a Withdrawal, both_spellings: bool) -> Self {
        let fiat = withdrawal.display_currency;
        let decimals = withdrawal.pair.decimals;
        let sent = withdrawal.status == WithdrawalStatus::Completed;
        let done = |text: String| sent.then(|| Number::new(&text));
        let deducted = || done(withdrawal.deducted.to_string());
        Self {
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
        }
    }

    /// Without what only a COMPLETED withdrawal has.
    pub(super) fn example_that_failed() -> Self {
        Self {
            status: "FAILED",
            actual_display_amount: None,
            actual_withdraw_amount: None,
            deduced_settlement_amount: None,
            withdraw_fee: None,
            display_fee: None,
            transaction_id: None,
            ..Self::example()
        }
    }
}
