//! What the payer asked for, and an operator decided, about where a refund goes.

use checkout_core::Amount;

use crate::withdrawal::Withdrawal;

/// An address that was given for a refund, in normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub address: String,
    pub tag: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub claim: Option<Claim>,
    pub decision: Option<Decision>,
}

/// The payer's request: where the money is to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub to: Given,
    pub at: u64,
    /// They were asked whether the sender is their own wallet, and said yes.
    pub is_own_wallet: bool,
    /// Why the merchant refused it; may be empty.
    pub refusal: Option<String>,
}

/// An operator's decision about an automatic refund, which keeps it while nothing is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// `None`: to the sender.
    pub to: Option<Given>,
    pub at: u64,
    /// The amount before the fee that was approved; `None` if an address alone was named.
    pub gross: Option<Amount>,
}

impl Claim {
    /// It waits for an approval.
    pub fn new(to: Given, at: u64) -> Self {
        Self { to, at, is_own_wallet: false, refusal: None }
    }

    pub fn is_refused(&self) -> bool {
        self.refusal.is_some()
    }
}

impl Given {
    /// Where a withdrawal goes.
    pub fn of(withdrawal: &Withdrawal) -> Self {
        Self { address: withdrawal.to.clone(), tag: withdrawal.tag.clone() }
    }
}
