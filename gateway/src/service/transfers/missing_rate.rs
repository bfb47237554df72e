//! A rate that is needed and not there.

use std::fmt;

use checkout_domain::rates::asset::Asset;
use checkout_wire::create_withdrawal::WithdrawalAccount;

/// There is no fresh rate from one asset to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingRate {
    pub from: Asset,
    pub to: Asset,
    /// The balance that would be charged.
    pub account: Option<WithdrawalAccount>,
}

impl fmt::Display for MissingRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "There is no fresh rate from {} to {}", self.from.code(), self.to.code())?;
        match self.account {
            Some(account) => write!(f, ", which the account {} needs. Try again.", account.as_str()),
            None => f.write_str(". Try again."),
        }
    }
}
