//! The options that limit a business's withdrawals.

use checkout_core::Decimal;
use checkout_domain::withdrawal::rules::{RuleChanges, Rules};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::settings::{OrNone, euros_or_none};

/// Limits of withdrawals, the same for a new business and a changed one.
#[derive(Debug, Args)]
pub(super) struct WithdrawalArguments {
    /// Maximum value of all withdrawals in 24 hours, in EUR; empty for none [default: none].
    #[arg(long, value_name = "EUR", value_parser = euros_or_none)]
    daily_withdrawal_limit: Option<OrNone<Decimal>>,
    /// Withdrawals above this value in EUR wait for `checkout payouts approve`; empty for none [default: none].
    #[arg(long, value_name = "EUR", value_parser = euros_or_none)]
    withdrawal_approval_above: Option<OrNone<Decimal>>,
    /// Claims for one payment are approved automatically while their total is at most this value in EUR; empty: none are [default: none].
    #[arg(long, value_name = "EUR", value_parser = euros_or_none)]
    claim_limit: Option<OrNone<Decimal>>,
    /// Withdrawals and refunds of the merchant whose network fee is above this value in EUR are refused; empty for none [default: none].
    #[arg(long, value_name = "EUR", value_parser = euros_or_none)]
    maximum_network_fee: Option<OrNone<Decimal>>,
    /// Recipients of withdrawals: any address, or only those whitelisted with their tag [default: anywhere].
    #[arg(long, value_enum, value_name = "WHERE")]
    withdrawals: Option<Recipients>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Recipients {
    Anywhere,
    WhitelistOnly,
}

impl WithdrawalArguments {
    pub(super) fn changes(&self) -> RuleChanges {
        RuleChanges {
            daily_limit: self.daily_withdrawal_limit.map(|limit| limit.0),
            approval_above: self.withdrawal_approval_above.map(|limit| limit.0),
            claim_limit: self.claim_limit.map(|limit| limit.0),
            maximum_network_fee: self.maximum_network_fee.map(|limit| limit.0),
            whitelist_only: self.withdrawals.map(|recipients| recipients == Recipients::WhitelistOnly),
        }
    }
}

/// Adds the limits to a business as JSON.
pub(super) fn show(shown: &mut Value, rules: &Rules) {
    let text = |limit: Option<Decimal>| limit.map(|limit| limit.to_string());
    shown["dailyWithdrawalLimit"] = json!(text(rules.daily_limit));
    shown["withdrawalApprovalAbove"] = json!(text(rules.approval_above));
    shown["claimLimit"] = json!(text(rules.claim_limit));
    shown["maximumNetworkFee"] = json!(text(rules.maximum_network_fee));
    shown["withdrawals"] = json!(if rules.whitelist_only { "whitelist-only" } else { "anywhere" });
}
