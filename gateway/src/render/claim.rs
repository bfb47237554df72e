//! What a payer can ask back.

use checkout_domain::chain::kept_tag;
use checkout_domain::payment::claimable::Claimable;
use checkout_wire::claim_refund::RefundClaim;

use crate::render::memo_type::memo_type;

pub fn claim(found: &Claimable) -> RefundClaim {
    let pair = found.pair;
    RefundClaim {
        claim_id: found.id.to_string().into(),
        deposit_id: found.deposit.map(|deposit| deposit.to_string().into()),
        status: found.status.into(),
        currency: pair.currency.into(),
        network: pair.network.into(),
        amount: found.amount.to_text(pair.decimals).into(),
        fee: found.fee.to_text(pair.decimals).into(),
        sender: found.sender.as_ref().map(|from| kept_tag::join(&from.address, from.tag.as_deref())),
        address: found.to.as_ref().map(|to| kept_tag::join(&to.address, to.tag.as_deref())),
        memo_type: found.to.as_ref().and_then(|to| memo_type(pair.network, to.tag.as_deref())),
        reason: found.refusal.clone(),
        transaction_id: found.transaction_id.clone(),
    }
}
