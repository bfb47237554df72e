//! What a refund of a payment is asked for with.

use checkout_core::{Currency, Decimal, Network, Pair};
use checkout_domain::ids::PaymentId;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::FieldError;
use checkout_wire::create_withdrawal::WithdrawalAccount;
use serde_json::json;
use uuid::Uuid;

use crate::service::payouts::recipient::NamedRecipient;
use crate::service::payouts::withdrawal_request::Target;
use crate::service::request_hash::hash;
use crate::texts::amount::{positive_amount, positive_decimal, without_zeros};

/// The request, before the payment is known.
#[derive(Clone, Debug)]
pub struct RefundRequest {
    pub client_refund_id: String,
    pub currency: Option<Currency>,
    pub network: Option<Network>,
    /// The text of the amount.
    pub amount: Option<String>,
    pub display_amount: Option<String>,
    pub to: Option<NamedRecipient>,
    pub account: Option<WithdrawalAccount>,
    /// The deposit of which the payer asks for something.
    pub claim_of: Option<Uuid>,
}

impl RefundRequest {
    /// What a payer asks back of a deposit.
    pub fn of_claim(deposit: Uuid) -> Self {
        Self {
            client_refund_id: format!("claim-{deposit}"),
            currency: None,
            network: None,
            amount: None,
            display_amount: None,
            to: None,
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
        let to = self.to.as_ref();
        let mut meaning = json!([
            payment.to_string(),
            self.client_refund_id,
            self.currency.map(Currency::code),
            self.network.map(Network::code),
            number(&self.amount),
            number(&self.display_amount),
            to.map(|to| &to.address),
            to.and_then(|to| to.tag.as_ref()),
            self.account.map(WithdrawalAccount::as_str),
        ]);
        if let Some(memo_type) = to.and_then(|to| to.memo_type) {
            meaning.as_array_mut().expect("made above").push(json!(memo_type));
        }
        hash(&meaning)
    }

    /// The pair of the refund: one of those that the payment received.
    pub fn pair(&self, received: &[&'static Pair]) -> Result<&'static Pair, FieldError> {
        let fits = |pair: &&&'static Pair| {
            self.currency.is_none_or(|currency| currency == pair.currency)
                && self.network.is_none_or(|network| network == pair.network)
        };
        let all = received.iter().map(|pair| format!("{} on {}", pair.currency, pair.network));
        let all = all.collect::<Vec<_>>().join(", ");
        let fitting: Vec<_> = received.iter().filter(fits).copied().collect();
        let (given, missing) =
            if self.currency.is_some() { ("currency", "network") } else { ("network", "currency") };
        let (name, code, detail) = match fitting.as_slice() {
            [one] => return Ok(one),
            [] => (given, "not_received", format!("was not received by this payment: {all}")),
            _ => (missing, "required", format!("is required, because this payment received {all}")),
        };
        Err(FieldError::of(name, code, detail))
    }

    /// The amount that is asked for; `None` for the rest.
    pub fn target(&self, pair: &Pair, fiat: Fiat) -> Result<Option<Target>, FieldError> {
        let read = match (&self.amount, &self.display_amount) {
            (Some(text), _) => positive_amount(text, pair.decimals).map(Target::Crypto),
            (None, Some(text)) => positive_decimal(text, fiat.decimals()).map(Target::Fiat),
            (None, None) => return Ok(None),
        };
        read.map(Some).map_err(|(code, detail)| FieldError::of(self.amount_name(), code, detail))
    }

    /// The field that an error of the amount is about.
    pub fn amount_name(&self) -> &'static str {
        if self.display_amount.is_some() { "displayAmount" } else { "amount" }
    }
}
