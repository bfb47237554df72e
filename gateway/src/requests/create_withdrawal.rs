//! The body of `POST /api/v1/withdrawals`, read and checked. Interface section 4.8.

use checkout_core::{Amount, Decimal, Network, Pair};
use checkout_domain::chain::environment::Environments;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::create_withdrawal::{TargetPolicy, WithdrawalAccount};
use serde_json::json;

use crate::requests::client_id::{self, client_id};
use crate::requests::fields::Fields;
use crate::requests::recipient::{self, Recipient};
use crate::texts::amount::{positive_amount, positive_decimal};

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
    pub fn read(fields: &mut Fields, environments: &Environments) -> Option<Self> {
        let client_withdrawal_id = client_id(fields, "clientWithdrawalId");
        fields.require("withdrawCurrency");
        let currency = fields.currency("withdrawCurrency");
        let pair = recipient::read_pair(fields, currency, Some(Network::Eth));
        let recipient = recipient::read(fields, "recipientAddress", pair, true, environments);
        fields.require("displayCurrency");
        let fiat: Option<Fiat> =
            fields.parsed("displayCurrency", "unknown_currency", "is not a known fiat currency");
        fields.require("targetAmountPolicy");
        let policy = fields.word("targetAmountPolicy", TargetPolicy::KNOWN, TargetPolicy::known);
        let target = target(fields, policy, pair, fiat);
        let account = fields.word("withdrawalAccount", WithdrawalAccount::KNOWN, WithdrawalAccount::known);
        fields.is_valid().then_some(())?;
        Some(Self {
            client_withdrawal_id: client_withdrawal_id?,
            pair: pair?,
            recipient: recipient?,
            display_currency: fiat?,
            policy: policy?,
            target: target?,
            account: account.unwrap_or(WithdrawalAccount::Crypto),
        })
    }

    /// SHA-256 of the request's meaning: explicit defaults and different texts of one account do not matter.
    pub fn hash(&self) -> String {
        let target = match self.target {
            Target::Fiat(amount) => amount.normalize().to_string(),
            Target::Crypto(amount) => amount.to_text(self.pair.decimals),
        };
        let meaning = json!([
            self.client_withdrawal_id,
            self.pair.currency.code(),
            self.pair.network.code(),
            self.recipient.address,
            self.recipient.tag,
            self.display_currency.code(),
            self.policy.as_str(),
            target,
            self.account.as_str(),
        ]);
        client_id::hash(&meaning)
    }
}

/// Reads `targetAmount` by the minor unit of the display currency, or by the decimals of the pair.
fn target(
    fields: &mut Fields,
    policy: Option<TargetPolicy>,
    pair: Option<&Pair>,
    fiat: Option<Fiat>,
) -> Option<Target> {
    fields.require("targetAmount");
    let text = fields.decimal_text("targetAmount")?;
    // If its currency or the policy is invalid, the amount is checked with the maximum number of places.
    let read = match policy.unwrap_or(TargetPolicy::Crypto) {
        TargetPolicy::Fiat => positive_decimal(&text, fiat.map_or(2, Fiat::decimals)).map(Target::Fiat),
        TargetPolicy::Crypto => {
            positive_amount(&text, pair.map_or(18, |pair| pair.decimals)).map(Target::Crypto)
        }
    };
    fields.accept("targetAmount", read)
}
