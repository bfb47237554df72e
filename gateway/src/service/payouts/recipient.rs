//! The recipient of a request: an address and its tag, validated by the core.

use checkout_core::network::TagRule;
use checkout_core::tag::MemoType;
use checkout_core::{Pair, pair, tag};
use checkout_domain::business::Business;
use checkout_domain::chain::address_space::networks_of_account;
use checkout_domain::chain::environment::Environments;
use checkout_domain::chain::kept_tag;
use checkout_domain::payment::refund_said::Given;
use checkout_wire::FieldError;

use crate::texts;

/// As a request names it.
#[derive(Clone, Debug)]
pub struct NamedRecipient {
    /// The field of the address.
    pub field: &'static str,
    /// May contain its tag.
    pub address: String,
    /// The name by which the request has a field for the tag.
    pub tag_field: Option<String>,
    pub tag: Option<String>,
    pub memo_type: Option<MemoType>,
}

/// A valid address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipient {
    /// As written, with `?dt=<tag>` if there is a separate tag.
    pub given: String,
    /// In normal form.
    pub address: String,
    /// As it is kept.
    pub tag: Option<String>,
}

impl Recipient {
    pub fn in_normal_form(&self) -> Given {
        Given { address: self.address.clone(), tag: self.tag.clone() }
    }
}

/// The error of a pair beyond the interface that the business does not take.
pub fn untaken(business: &Business, pair: &Pair) -> Option<FieldError> {
    let is_taken = !pair.opt_in || business.accepts_on(pair.currency, pair.network);
    let detail = || format!("this business does not take {} on {}", pair.currency, pair.network);
    (!is_taken).then(|| FieldError::of("network", "unsupported_pair", detail()))
}

impl NamedRecipient {
    pub fn check(&self, pair: &Pair, environments: &Environments) -> Result<Recipient, FieldError> {
        let bad_address = |detail: String| FieldError::of(self.field, "bad_address", detail);
        let tag_field = self.tag_field.as_deref().unwrap_or("destinationTag");
        let beside = self.tag.clone().filter(|tag| !tag.is_empty());
        let (address, inside) = tag::split(&self.address)
            .map_err(|error| bad_address(format!("is refused: {}", error.reason().code())))?;
        // It was still percent-encoded.
        if let Some(fault) = inside.as_deref().and_then(|tag| texts::check(tag).err()) {
            return Err(FieldError::of(self.field, fault.code(), fault.detail()));
        }
        if inside.is_some() && beside.is_some() && inside != beside {
            let detail = "is not the tag that the address carries";
            return Err(FieldError::of(tag_field, "conflicting_tag", detail));
        }
        let outer = inside.or(beside);
        // Networks without tags ignore the type, too.
        let takes_type = match pair.network.spec().tag {
            TagRule::None => true,
            TagRule::DestinationTag | TagRule::TextMemo => false,
            TagRule::Memo => outer.is_some(),
        };
        if self.memo_type.is_some() && !takes_type {
            let detail = "is the type of a memo on XLM, which is in destinationTag";
            return Err(FieldError::of("memoType", "not_allowed", detail));
        }
        let (currency, network) = (pair.currency.code(), pair.network.code());
        let check = |tag| environments.validate_memo(currency, network, address, (tag, self.memo_type));
        let verdict = check(outer.as_deref());
        let Some(normalized) = verdict.normalized.clone().filter(|_| verdict.valid) else {
            let reason = verdict.reason.map_or("invalid", |reason| reason.code());
            let is_of_tag = outer.is_some() && self.tag_field.is_some() && check(None).valid;
            let (field, code) = if is_of_tag { (tag_field, "bad_tag") } else { (self.field, "bad_address") };
            return Err(FieldError::of(field, code, format!("is refused on {}: {reason}", pair.network)));
        };
        let networks = networks_of_account(pair.network);
        if networks.iter().any(|network| pair::is_token_contract(*network, &normalized)) {
            return Err(bad_address("is the contract of a token: what is sent there is lost".to_owned()));
        }
        // Networks without tags ignore one, as address validation does.
        let outer = outer.filter(|_| verdict.destination_tag.is_some());
        Ok(Recipient {
            given: tag::join(address, outer.as_deref()),
            address: normalized,
            tag: kept_tag::of(&verdict),
        })
    }
}
