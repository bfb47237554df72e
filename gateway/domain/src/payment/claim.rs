//! An address that was given for a refund, checked like the recipient of a withdrawal.

use checkout_core::address::Options;
use checkout_core::{pair, tag, validate_with};

use super::deposit::Deposit;
use super::refund::{Claim, Given};
use crate::chain::address_space::networks_of_account;
use crate::chain::environment::{ANY_NETWORK, Environments};
use crate::chain::kept_tag;
use crate::chain::payout::Payout;

/// Why an address cannot receive the refund of a deposit, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAddress(pub String);

/// Where a refund goes that was decided about.
pub fn recipient(claim: &Claim, deposit: &Deposit) -> Given {
    claim.to.clone().unwrap_or_else(|| sender(deposit))
}

pub fn sender(deposit: &Deposit) -> Given {
    Given { address: deposit.from.clone(), tag: deposit.from_tag.clone() }
}

/// Whether a refund is what was approved of its deposit, if that was. The fee of the network is the payer's, so that the amount
/// before it was approved.
pub fn is_as_approved(payout: &Payout, deposit: &Deposit) -> bool {
    let Some(claim) = &deposit.claim else { return true };
    let sent = Given { address: payout.to.clone(), tag: payout.tag.clone() };
    let gross = deposit.refund.as_ref().map(|refund| refund.plan.gross);
    recipient(claim, deposit) == sent && (claim.gross.is_none() || claim.gross == gross)
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
