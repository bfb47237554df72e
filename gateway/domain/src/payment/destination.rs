//! Where a refund goes. An address that is given for it is checked like the recipient of a withdrawal.

use checkout_core::address::Options;
use checkout_core::{pair, tag, validate_with};

use super::PaymentWithDeposits;
use super::deposit::Deposit;
use super::refund::Refund;
use super::refund_phase::Phase;
use super::refund_said::Given;
use crate::chain::address_space::networks_of_account;
use crate::chain::environment::{ANY_NETWORK, Environments};
use crate::chain::kept_tag;
use crate::chain::payout::Payout;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::approved::Approved;

/// Why an address cannot receive the refund of a deposit, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAddress(pub String);

/// The sender, unless an operator decided otherwise.
fn decided(deposit: &Deposit, refund: &Refund) -> Given {
    refund.given().cloned().unwrap_or_else(|| deposit.sender())
}

/// Whether a refund is what was approved of its deposit, if that was. The fee of the network is the payer's, so that the amount
/// before it was approved.
pub fn is_as_approved(payout: &Payout, deposit: &Deposit, refund: &Refund) -> bool {
    let Some(decision) = refund.phase.decision() else { return true };
    let sent = Given { address: payout.to.clone(), tag: payout.tag.clone() };
    decided(deposit, refund) == sent && decision.gross.is_none_or(|gross| gross == refund.gross)
}

impl PaymentWithDeposits {
    /// Whether a refund to this address goes back where it came from, which is no loss.
    pub fn goes_back(&self, refund: &Refund, to: &Given) -> bool {
        match refund.charge() {
            Some(charge) => self.came_from(charge, to),
            None => self.deposit(refund.id).is_some_and(|deposit| deposit.sender() == *to),
        }
    }

    /// Whether the address sent at least as much as the charged refund gives in its pair, which did not go back to it. Somebody who sends
    /// a little does not become the sender of what others sent.
    pub fn came_from(&self, charge: &Withdrawal, to: &Given) -> bool {
        let key = (charge.pair.currency, charge.pair.network);
        let sent = self.deposits.iter().filter(|deposit| deposit.is_confirmed() && deposit.key() == key);
        let sent = sent.filter(|deposit| deposit.sender() == *to);
        let kept = sent.map(|deposit| deposit.amount.saturating_sub(self.returned(deposit)).atoms());
        let others = self.charged_refunds().filter(|other| other.id != charge.id);
        let back = others.filter(|other| {
            other.pair == charge.pair && other.charge().is_some_and(|other| Given::of(other) == *to)
        });
        let back = back.map(|other| other.returned().atoms()).fold(0, u128::saturating_add);
        kept.fold(0, u128::saturating_add).saturating_sub(back) >= charge.amount.atoms()
    }

    /// What would be sent of a refund, or is: to whom, and how much after the fee.
    pub fn to_approve(&self, refund: &Refund) -> Option<Approved> {
        if let Some(charge) = refund.charge() {
            return Some(Approved::of(charge));
        }
        let to = match &refund.phase {
            Phase::Claimed(claim) => claim.to.clone(),
            _ => decided(self.deposit(refund.id)?, refund),
        };
        Some(Approved { address: to.address, tag: to.tag, amount: refund.amount() })
    }
}

/// Reads an address, which may contain its tag, and a tag, which may be kept with its type.
pub fn read(deposit: &Deposit, address: &str, beside: Option<&str>) -> Result<Given, BadAddress> {
    let bad = |why: &str| Err(BadAddress(why.to_owned()));
    let pair = deposit.pair();
    let (plain, inside) = match tag::split(address) {
        Ok(split) => split,
        Err(error) => return bad(&format!("is refused: {}", error.reason().code())),
    };
    let memo_type = kept_tag::memo_type(pair.network, beside);
    let beside = beside.map(kept_tag::shown);
    if inside.is_some() && beside.is_some() && inside.as_deref() != beside {
        return bad("carries another tag");
    }
    let outer = inside.as_deref().or(beside);
    let (currency, network) = (pair.currency.code(), pair.network.code());
    // The deposit shows whether its chain is a test network.
    let environments = Environments::default();
    let is_main = environments.validate(currency, network, &deposit.to, None).valid;
    let verdict = if is_main {
        environments.validate_memo(currency, network, plain, (outer, memo_type))
    } else {
        validate_with(currency, network, plain, outer, &Options { memo_type, ..ANY_NETWORK })
    };
    let tag = kept_tag::of(&verdict);
    let Some(normal) = verdict.normalized.filter(|_| verdict.valid) else {
        let reason = verdict.reason.map_or("invalid", |reason| reason.code());
        return bad(&format!("is refused on {network}: {reason}"));
    };
    let mut networks = networks_of_account(pair.network).iter();
    if networks.any(|network| pair::is_token_contract(*network, &normal)) {
        return bad("is the contract of a token: what is sent there is lost");
    }
    Ok(Given { address: normal, tag })
}
