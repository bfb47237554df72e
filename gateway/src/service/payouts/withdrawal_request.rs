//! What a withdrawal is asked for with. Interface section 4.8.

use checkout_core::{Amount, Decimal, Pair};
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::create_withdrawal::{TargetPolicy, WithdrawalAccount};
use serde_json::json;

use super::recipient::Recipient;
use crate::service::request_hash::hash;

/// The content of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An amount of the display currency; the crypto amount follows from the rate.
    Fiat(Decimal),
    Crypto(Amount),
}

#[derive(Clone, Debug)]
pub struct WithdrawalRequest {
    pub client_withdrawal_id: String,
    pub pair: &'static Pair,
    pub recipient: Recipient,
    pub display_currency: Fiat,
    pub policy: TargetPolicy,
    pub target: Target,
    pub account: WithdrawalAccount,
}

impl WithdrawalRequest {
    /// SHA-256 of the request's meaning: explicit defaults and different texts of one account do not matter.
    pub fn hash(&self) -> String {
        let target = match self.target {
            Target::Fiat(amount) => amount.normalize().to_string(),
            Target::Crypto(amount) => amount.to_text(self.pair.decimals),
        };
        hash(&json!([
            self.client_withdrawal_id,
            self.pair.currency.code(),
            self.pair.network.code(),
            self.recipient.address,
            self.recipient.tag,
            self.display_currency.code(),
            self.policy.as_str(),
            target,
            self.account.as_str(),
        ]))
    }
}
