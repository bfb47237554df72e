//! The recipient in a request: an address and its tag, validated by the core.

use checkout_core::network::TagRule;
use checkout_core::tag::MemoType;
use checkout_core::{Currency, Network, Pair, pair, tag};
use checkout_domain::business::Business;
use checkout_domain::chain::address_space::networks_of_account;
use checkout_domain::chain::environment::Environments;
use checkout_domain::chain::kept_tag;
use checkout_domain::payment::refund::Given;
use checkout_wire as wire;

use crate::requests::fields::Fields;
use crate::texts;

/// A valid address.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Reads `network`, with the default `absent`; the pair must support withdrawals.
pub fn read_pair(
    fields: &mut Fields,
    currency: Option<Currency>,
    absent: Option<Network>,
) -> Option<&'static Pair> {
    let network = if fields.has("network") { fields.network()? } else { absent? };
    let currency = currency?;
    let found = pair::find(currency, network).filter(|pair| pair.withdrawal);
    if found.is_none() {
        let networks = fields.opt_ins().networks_of(currency, |pair| pair.withdrawal);
        let stands_in = if fields.has("network") { "" } else { "; without a network, ETH is meant" };
        let detail = format!("{currency} can be withdrawn on {networks}{stands_in}");
        fields.error("network", "unsupported_pair", detail);
    }
    found
}

/// Records an error if the pair is beyond the interface and the business does not take it.
pub fn refuse_untaken(fields: &mut Fields, business: &Business, pair: &Pair) {
    if pair.opt_in && !business.accepts_on(pair.currency, pair.network) {
        let detail = format!("this business does not take {} on {}", pair.currency, pair.network);
        fields.error("network", "unsupported_pair", detail);
    }
}

/// Reads the address in the field `name`, which may contain its tag, and `destinationTag`. `zero_is_none`: a
/// zero in `destinationTag` means no tag.
pub fn read(
    fields: &mut Fields,
    name: &str,
    pair: Option<&Pair>,
    zero_is_none: bool,
    environments: &Environments,
) -> Option<Recipient> {
    let written = fields.required_text(name);
    let memo_type = memo_type(fields);
    let beside = fields.decimal_text("destinationTag");
    let is_none = |tag: &str| tag.is_empty() || (tag == "0" && zero_is_none && memo_type.is_none());
    let beside = beside.filter(|tag| !is_none(tag));
    let (written, pair) = (written?, pair?);
    let (address, inside) = match tag::split(&written) {
        Ok((address, inside)) => (address, inside),
        Err(error) => {
            fields.error(name, "bad_address", format!("is refused: {}", error.reason().code()));
            return None;
        }
    };
    // It was still percent-encoded.
    if let Some(fault) = inside.as_deref().and_then(|tag| texts::check(tag).err()) {
        fields.error(name, fault.code(), fault.detail());
        return None;
    }
    if inside.is_some() && beside.is_some() && inside != beside {
        fields.error("destinationTag", "conflicting_tag", "is not the tag that the address carries");
        return None;
    }
    let outer = inside.or(beside);
    // Networks without tags ignore the type, too.
    let takes_type = match pair.network.spec().tag {
        TagRule::None => true,
        TagRule::DestinationTag | TagRule::TextMemo => false,
        TagRule::Memo => outer.is_some(),
    };
    if memo_type.is_some() && !takes_type {
        let detail = "is the type of a memo on XLM, which is in destinationTag";
        fields.error("memoType", "not_allowed", detail);
        return None;
    }
    let (currency, network) = (pair.currency.code(), pair.network.code());
    let check = |tag| environments.validate_memo(currency, network, address, (tag, memo_type));
    let verdict = check(outer.as_deref());
    if !verdict.valid {
        let reason = verdict.reason.map_or("invalid", |reason| reason.code());
        if outer.is_some() && fields.has("destinationTag") && check(None).valid {
            fields.error("destinationTag", "bad_tag", format!("is refused on {}: {reason}", pair.network));
        } else {
            fields.error(name, "bad_address", format!("is refused on {}: {reason}", pair.network));
        }
        return None;
    }
    let networks = networks_of_account(pair.network);
    let is_token = |address: &str| networks.iter().any(|network| pair::is_token_contract(*network, address));
    if verdict.normalized.as_deref().is_some_and(is_token) {
        fields.error(
            name,
            "bad_address",
            "is the contract of a token: what is sent there is lost".to_owned(),
        );
        return None;
    }
    // Networks without tags ignore one, as address validation does.
    let outer = outer.filter(|_| verdict.destination_tag.is_some());
    Some(Recipient {
        given: tag::join(address, outer.as_deref()),
        address: verdict.normalized.clone()?,
        tag: kept_tag::of(&verdict),
    })
}

/// Reads `memoType`.
pub fn memo_type(fields: &mut Fields) -> Option<MemoType> {
    fields.word("memoType", wire::create_withdrawal::MemoType::KNOWN, |word| word.parse().ok())
}
