//! The body of the deposit-received callback, interface section 6.1.

use checkout_core::decimal::quote_up;
use checkout_domain::business::Business;
use checkout_domain::callback::Kind;
use checkout_domain::ledger::settlement::{Part, Settlement};
use checkout_domain::payment::coverage::rescale;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::{PaymentWithDeposits, Quote};
use checkout_wire::RateType;
use checkout_wire::texts::{
    AmountText, AssetCode, ClientId, CurrencyCode, DepositId, FiatCode, NetworkCode, PaymentId, Time,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::number::Number;
use super::{About, Event};

/// A deposit. All amounts are those of this deposit.
// The fields are in the interface's order.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DepositReceived<'a> {
    /// Identifier of the payment.
    payment_id: PaymentId,
    /// Your id of the payment.
    #[schemars(with = "ClientId")]
    client_payment_id: &'a str,
    /// Identifier of the deposit.
    deposit_id: DepositId,
    /// Address of the payment.
    deposit_address: &'a str,
    /// Address of the sender.
    from_address: &'a str,
    /// Transaction on the chain.
    transaction_id: &'a str,
    /// Network of the deposit.
    #[schemars(with = "NetworkCode")]
    network: &'a str,
    /// Cryptocurrency of the deposit.
    #[schemars(with = "CurrencyCode")]
    deposit_currency: &'a str,
    /// Amount in the cryptocurrency.
    actual_deposit_amount: Number,
    /// Price of the payment in the cryptocurrency of the deposit: as quoted in it, otherwise converted at the rate of the
    /// deposit. Missing when there was neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "AmountText")]
    expected_deposit_amount: Option<AmountText>,
    /// Network fee that the sender paid, in the main coin of the chain.
    on_chain_fee: Number,
    /// Fiat currency of the display amounts.
    #[schemars(with = "FiatCode")]
    display_currency: &'a str,
    /// Value of the deposit in the display currency.
    actual_display_amount: Number,
    /// Price of the payment in the display currency.
    expected_display_amount: Number,
    /// Service fee in the display currency.
    display_service_fee: Number,
    /// Currency of `settlementAmount`: EUR, or the settlement cryptocurrency of a business whose `settlementCryptoRatio` is 1.
    /// The currency of the deposit when there was no rate.
    #[schemars(with = "AssetCode")]
    settlement_currency: &'static str,
    /// Amount credited in `settlementCurrency` at the market's rate when the deposit was first seen, without the service fee.
    settlement_amount: Number,
    /// Service fee of this amount, in `settlementCurrency`.
    settlement_service_fee: Number,
    /// The credits of both currencies, when the ratio credits two: `settlementAmount` is the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    settlements: Vec<Settled>,
    /// Time at which the payer chose currency and network.
    payment_requested_at: Time,
    /// Time at which the transfer was first seen.
    payment_received_at: Time,
    /// Time at which the payment expires. Missing for payments that never expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Time")]
    expiration_time: Option<Time>,
    /// How the deposit was valued. Late deposits are `FLOATING`.
    rate_type: RateType,
    /// Always `CONFIRMED`.
    #[schemars(extend("enum" = ["CONFIRMED"]))]
    status: &'static str,
}

/// The credit of a deposit in one currency.
#[expect(clippy::struct_field_names, reason = "the names of the callback's own fields")]
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "DepositSettlement")]
#[serde(rename_all = "camelCase")]
struct Settled {
    /// Currency of the amount.
    #[schemars(with = "AssetCode")]
    settlement_currency: &'static str,
    /// Amount credited, without the service fee.
    settlement_amount: Number,
    /// Service fee.
    settlement_service_fee: Number,
}

impl Settled {
    fn new(part: &Part) -> Self {
        let net = part.net();
        Self {
            settlement_currency: net.asset.code(),
            settlement_amount: Number::new(&net.to_string()),
            settlement_service_fee: Number::new(&part.fee.to_string()),
        }
    }
}

impl Event for DepositReceived<'_> {
    const ABOUT: About = About {
        kind: Kind::new("DEPOSIT"),
        name: "depositReceived",
        title: "Deposit received",
        description: "Sent to `depositReceivedCallbackUrl` once for each deposit: when it is confirmed or, on UTXO chains, \
            when it is first seen, unless the sender can still replace the transfer (BIP 125). If the screening flags the sender, the \
            callback is sent when the deposit is released. The amounts are those of this deposit.",
    };

    fn url(business: &Business) -> Option<&str> {
        business.deposit_callback.as_deref()
    }

    fn example() -> Self {
        Self {
            payment_id: "01a3185c-50fa-7000-8000-000000000001".into(),
            client_payment_id: "order-1042",
            deposit_id: "01a3185c-50fa-7000-8000-000000000010".into(),
            deposit_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            from_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            transaction_id: "984636b28ec469faf25d90bee8bc9d131c6b00a5ff7cce2761ffb4f41b27eb6a",
            network: "BTC",
            deposit_currency: "BTC",
            actual_deposit_amount: Number::new("0.002"),
            expected_deposit_amount: Some("0.00166667".into()),
            on_chain_fee: Number::new("0.0000141"),
            display_currency: "EUR",
            actual_display_amount: Number::new("120.00"),
            expected_display_amount: Number::new("100.00"),
            display_service_fee: Number::new("0.50"),
            settlement_currency: "EUR",
            settlement_amount: Number::new("99.50"),
            settlement_service_fee: Number::new("0.50"),
            settlements: Vec::new(),
            payment_requested_at: Time(1_800_000_000),
            payment_received_at: Time(1_800_000_000),
            expiration_time: Some(Time(1_800_001_800)),
            rate_type: RateType::Fixed,
            status: "CONFIRMED",
        }
    }
}

impl<'a> DepositReceived<'a> {
    /// `last` is the payment's current quote. `expectedDepositAmount` is a string, as in the interface's table. A payment that
    /// never expires has no `expirationTime`.
    pub fn new(
        record: &'a PaymentWithDeposits,
        last: &Quote,
        deposit: &'a Deposit,
        settlement: &Settlement,
    ) -> Self {
        let payment = &record.payment;
        let fiat = payment.display_currency;
        let judge = record.quote_of(deposit).unwrap_or(last);
        let parts = settlement.parts();
        let Settled { settlement_currency, settlement_amount, settlement_service_fee } =
            Settled::new(&parts[0]);
        Self {
            payment_id: payment.id.to_string().into(),
            client_payment_id: &payment.client_payment_id,
            deposit_id: deposit.id.to_string().into(),
            deposit_address: &deposit.to,
            from_address: &deposit.from,
            transaction_id: &deposit.output.transaction,
            network: deposit.output.network.code(),
            deposit_currency: deposit.currency.code(),
            actual_deposit_amount: Number::new(&deposit.amount.to_text(deposit.pair().decimals)),
            expected_deposit_amount: expected_in_currency_of(deposit, record, last).map(Into::into),
            on_chain_fee: Number::new(&deposit.fee),
            display_currency: fiat.code(),
            actual_display_amount: Number::new(&fiat.text(deposit.display_amount)),
            expected_display_amount: Number::new(&fiat.text(last.terms.display)),
            display_service_fee: Number::new(&fiat.text(settlement.display_fee(deposit.rate, fiat))),
            settlement_currency,
            settlement_amount,
            settlement_service_fee,
            settlements: if parts.len() > 1 { parts.iter().map(Settled::new).collect() } else { Vec::new() },
            payment_requested_at: judge.requested_at.into(),
            payment_received_at: deposit.seen_at.into(),
            expiration_time: payment.window_end().map(Time),
            rate_type: deposit.rate_type,
            status: "CONFIRMED",
        }
    }
}

/// The price in the currency of a deposit, so that merchants never compare amounts of two coins.
fn expected_in_currency_of(deposit: &Deposit, record: &PaymentWithDeposits, last: &Quote) -> Option<String> {
    let pair = deposit.pair();
    let shown = || record.quotes.iter().rev().find(|quote| quote.currency == deposit.currency);
    let expected = match record.quote_of(deposit).or_else(shown) {
        Some(quote) => rescale(quote.terms.expected, quote.pair().decimals, pair.decimals),
        None => quote_up(last.terms.display, deposit.rate, pair.decimals, pair.quote_precision).ok()?,
    };
    Some(expected.to_text(pair.decimals))
}
