//! The body of `POST /api/v1/payments/{paymentId}/refunds`, read and checked.

use checkout_core::tag::MemoType;
use checkout_core::{Currency, Decimal, Network, Pair};
use checkout_domain::ids::PaymentId;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::create_withdrawal::WithdrawalAccount;
use serde_json::json;
use uuid::Uuid;

use crate::requests::client_id::{self, client_id};
use crate::requests::create_withdrawal::Target;
use crate::requests::fields::Fields;
use crate::requests::recipient;
use crate::texts::amount::{positive_amount, positive_decimal, without_zeros};

/// The request, before the payment is known.
#[derive(Clone, Debug)]
pub struct RefundRequest {
    pub client_refund_id: String,
    currency: Option<Currency>,
    network: Option<Network>,
    /// The text of the amount.
    amount: Option<String>,
    display_amount: Option<String>,
    pub address: Option<String>,
    tag: Option<String>,
    memo_type: Option<MemoType>,
    pub account: Option<WithdrawalAccount>,
    /// The deposit of which the payer asks for something.
    pub claim_of: Option<Uuid>,
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
        let memo_type = recipient::memo_type(fields);
        if (tag.is_some() || memo_type.is_some()) && !fields.has("address") {
            fields.error("address", "required", "is required with destinationTag");
        }
        let account = fields.word("withdrawalAccount", WithdrawalAccount::KNOWN, WithdrawalAccount::known);
        fields.is_valid().then_some(())?;
        let client_refund_id = client_refund_id?;
        Some(Self {
            client_refund_id,
            currency,
            network,
            amount,
            display_amount,
            address,
            tag,
            memo_type,
            account,
            claim_of: None,
        })
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
            memo_type: None,
            account: None,
            claim_of: Some(deposit),
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
        let mut meaning = json!([
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
        if let Some(memo_type) = self.memo_type {
            meaning.as_array_mut().expect("made above").push(json!(memo_type));
        }
        client_id::hash(&meaning)
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
        let (given, missing) =
            if self.currency.is_some() { ("currency", "network") } else { ("network", "currency") };
        let (name, read) = match fitting.as_slice() {
            [one] => return Some(one),
            [] => (given, ("not_received", format!("was not received by this payment: {all}"))),
            _ => (missing, ("required", format!("is required, because this payment received {all}"))),
        };
        fields.accept(name, Err(read))
    }

    /// The amount that is asked for; `None` for the rest, and if it cannot be read.
    pub fn target(&self, fields: &mut Fields, pair: &Pair, fiat: Fiat) -> Option<Target> {
        let read = match (&self.amount, &self.display_amount) {
            (Some(text), _) => positive_amount(text, pair.decimals).map(Target::Crypto),
            (None, Some(text)) => positive_decimal(text, fiat.decimals()).map(Target::Fiat),
            (None, None) => return None,
        };
        fields.accept(self.amount_name(), read)
    }

    /// The field that an error of the amount is about.
    pub fn amount_name(&self) -> &'static str {
        if self.display_amount.is_some() { "displayAmount" } else { "amount" }
    }
}
