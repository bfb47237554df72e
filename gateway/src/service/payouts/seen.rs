//! What an approval names: the address, tag and amount that were seen.

use checkout_core::tag::MemoType;
use checkout_core::{Amount, Pair, tag, validate_with};
use checkout_domain::chain::environment::ANY_NETWORK;
use checkout_domain::chain::kept_tag;
use checkout_domain::withdrawal::approved::Approved;

use crate::texts::amount::without_zeros;

#[derive(Clone, Debug)]
pub struct Seen {
    /// May contain its tag.
    pub address: String,
    pub tag: Option<String>,
    pub memo_type: Option<MemoType>,
    pub amount: String,
}

impl Seen {
    /// Whether it is this, in whatever spelling.
    pub fn is(&self, pair: &Pair, approved: &Approved) -> bool {
        let amount = Amount::parse(without_zeros(&self.amount, pair.decimals), pair.decimals).ok();
        amount.is_some_and(|amount| self.of(pair, amount).as_ref() == Some(approved))
    }

    fn of(&self, pair: &Pair, amount: Amount) -> Option<Approved> {
        let (plain, inside) = tag::split(&self.address).ok()?;
        if inside.is_some() && self.tag.is_some() && inside != self.tag {
            return None;
        }
        let outer = inside.as_deref().or(self.tag.as_deref());
        let options = checkout_core::Options { memo_type: self.memo_type, ..ANY_NETWORK };
        let verdict = validate_with(pair.currency.code(), pair.network.code(), plain, outer, &options);
        let tag = kept_tag::of(&verdict);
        verdict.normalized.filter(|_| verdict.valid).map(|address| Approved { address, tag, amount })
    }
}
