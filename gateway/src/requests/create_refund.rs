//! The body of `POST /api/v1/payments/{paymentId}/refunds`, read and checked.

use checkout_core::wire::create_withdrawal::WithdrawalAccount;
use checkout_core::{Amount, Currency, Decimal, Network, Pair, decimal};
use checkout_domain::chain::environment::Environments;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::rates::fiat::Fiat;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::requests::amount::{amount_fault, without_zeros};
use crate::requests::client_id::client_id;
use crate::requests::create_withdrawal::Target;
use crate::requests::fields::Fields;
use crate::requests::recipient::{self, Recipient};

/// The request, before the payment is known.
#[derive(Clone, Debug)]
pub struct RefundRequest {
    pub client_refund_id: String,
    currency: Option<Currency>,
    network: Option<Network>,
    /// The text of the amount.
    amount: Option<String>,
    display_amount: Option<String>,
    address: Option<String>,
    tag: Option<String>,
    pub account: Option<WithdrawalAccount>,
}

impl RefundRequest {
    pub fn read(fields: &mut Fields) -> Option<Self> {
        let client_refund_id = client_id(fields, "clientRefundId");
        let currency = fields.currency("currency");
        let network = fields.network();
        let amount = fields.decimal_text("amount");
        let display_amount = fields.decimal_text("displayAmount");
        if amount.is_some() && display_amount.is_some() {
            fields.error("displayAmount", "conflicting_amounts", "is given beside amount");
        }
        let address = fields.text("address");
        let tag = fields.decimal_text("destinationTag");
        if tag.is_some() && !fields.has("address") {
            fields.error("address", "required", "is required with destinationTag");
        }
        let account = fields.word("withdrawalAccount", WithdrawalAccount::KNOWN, WithdrawalAccount::known);
        fields.is_valid().then_some(())?;
        let client_refund_id = client_refund_id?;
        Some(Self { client_refund_id, currency, network, amount, display_amount, address, tag, account })
    }

    /// What a payer asks back of a deposit.
    pub fn of_claim(deposit: Uuid) -> Self {
        Self {
            client_refund_id: format!("claim-{deposit}"),
            currency: None,
            network: None,
            amount: None,
            display_amount: None,
            address: None,
            tag: None,
            account: None,
        }
    }

    /// SHA-256 of the request's meaning. It does not depend on the payment, so that a repeated request is known whatever the payment
    /// received meanwhile.
    pub fn hash(&self, payment: PaymentId) -> String {
        let number = |text: &Option<String>| {
            let plain = |text: &String| without_zeros(text, 0).to_owned();
            text.as_ref().map(|text| {
                text.parse::<Decimal>().map_or_else(|_| plain(text), |it| it.normalize().to_string())
            })
        };
        let meaning = json!([
            payment.to_string(),
            self.client_refund_id,
            self.currency.map(Currency::code),
            self.network.map(Network::code),
            number(&self.amount),
            number(&self.display_amount),
            self.address,
            self.tag,
            self.account.map(WithdrawalAccount::as_str),
        ]);
        hex::encode(Sha256::digest(meaning.to_string().as_bytes()))
    }

    /// The pair of the refund: one of those that the payment received.
    pub fn pair(&self, fields: &mut Fields, received: &[&'static Pair]) -> Option<&'static Pair> {
        let fits = |pair: &&&'static Pair| {
            self.currency.is_none_or(|currency| currency == pair.currency)
                && self.network.is_none_or(|network| network == pair.network)
        };
        let all = received.iter().map(|pair| format!("{} on {}", pair.currency, pair.network));
        let all = all.collect::<Vec<_>>().join(", ");
        let fitting: Vec<_> = received.iter().filter(fits).copied().collect();
        let name = if self.currency.is_some() { "network" } else { "currency" };
        match fitting.as_slice() {
            [one] => Some(one),
            [] => {
                let name = if self.currency.is_some() { "currency" } else { "network" };
                fields.error(name, "not_received", format!("was not received by this payment: {all}"));
                None
            }
            _ => {
                fields.error(name, "required", format!("is required, because this payment received {all}"));
                None
            }
        }
    }

    /// The amount that is asked for; `None` for the rest, and if it cannot be read.
    pub fn target(&self, fields: &mut Fields, pair: &Pair, fiat: Fiat) -> Option<Target> {
        let (name, read) = match (&self.amount, &self.display_amount) {
            (Some(text), _) => (
                "amount",
                Amount::parse(without_zeros(text, pair.decimals), pair.decimals).map(Target::Crypto),
            ),
            (None, Some(text)) => {
                let decimals = fiat.decimals();
                ("displayAmount", decimal::parse(without_zeros(text, decimals), decimals).map(Target::Fiat))
            }
            (None, None) => return None,
        };
        let error = match read {
            Ok(Target::Fiat(amount)) if amount.is_zero() => ("zero", "must be more than zero".to_owned()),
            Ok(Target::Crypto(amount)) if amount.is_zero() => ("zero", "must be more than zero".to_owned()),
            Ok(target) => return Some(target),
            Err(error) => amount_fault(error),
        };
        fields.error(name, error.0, error.1);
        None
    }

    /// The field that an error of the amount is about.
    pub fn amount_name(&self) -> &'static str {
        if self.display_amount.is_some() { "displayAmount" } else { "amount" }
    }

    pub fn has_address(&self) -> bool {
        self.address.is_some()
    }
}

/// Reads the address of a refund, which is not one of its payment.
pub fn recipient(
    fields: &mut Fields,
    pair: &'static Pair,
    record: &PaymentWithDeposits,
    environments: &Environments,
) -> Option<Recipient> {
    let recipient = recipient::read(fields, "address", Some(pair), false, environments)?;
    let mut quoted = record.quotes.iter().map(|quote| &quote.address);
    let mut receivers = record.deposits.iter().map(|deposit| &deposit.to);
    if quoted.any(|own| *own == recipient.address) || receivers.any(|own| *own == recipient.address) {
        fields.error("address", "bad_address", "is the address of the payment");
        return None;
    }
    Some(recipient)
}
