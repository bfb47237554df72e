//! The recipient in a request: an address and its tag.

use checkout_core::tag::MemoType;
use checkout_core::{Currency, Network, Pair, pair};
use checkout_domain::chain::environment::Environments;
use checkout_wire as wire;

use crate::http::requests::fields::Fields;
use crate::service::payouts::recipient::{NamedRecipient, Recipient};

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

/// Reads the address in the field `name`, which may contain its tag, and `destinationTag`. `zero_is_none`: a
/// zero in `destinationTag` means no tag.
pub fn read(
    fields: &mut Fields,
    name: &'static str,
    pair: Option<&Pair>,
    zero_is_none: bool,
    environments: &Environments,
) -> Option<Recipient> {
    let (address, memo_type) = (fields.required_text(name), memo_type(fields));
    let is_none = |tag: &str| tag == "0" && zero_is_none && memo_type.is_none();
    let tag = fields.decimal_text("destinationTag").filter(|tag| !is_none(tag));
    let tag_field = fields.given("destinationTag");
    let named = NamedRecipient { field: name, address: address?, tag_field, tag, memo_type };
    let read = named.check(pair?, environments);
    read.map_err(|error| fields.push(Some(error))).ok()
}

/// Reads one whose pair is not known yet.
pub fn read_named(fields: &mut Fields) -> Option<NamedRecipient> {
    let address = fields.required_text("address");
    let tag = fields.decimal_text("destinationTag");
    let memo_type = memo_type(fields);
    let tag_field = fields.given("destinationTag");
    Some(NamedRecipient { field: "address", address: address?, tag_field, tag, memo_type })
}

/// Reads `memoType`.
pub fn memo_type(fields: &mut Fields) -> Option<MemoType> {
    fields.word("memoType", wire::create_withdrawal::MemoType::KNOWN, |word| word.parse().ok())
}
