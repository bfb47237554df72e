//! A whitelisted address, interface section 2.5.

use checkout_domain::chain::kept_tag;
use checkout_domain::withdrawal::whitelist::WhitelistEntry;
use checkout_wire::whitelist_address::WhitelistedAddress;

use crate::render::memo_type::memo_type;

pub fn whitelist_address(entry: &WhitelistEntry) -> WhitelistedAddress {
    WhitelistedAddress {
        id: entry.id.to_string().into(),
        client_address_id: entry.client_address_id.clone().into(),
        currency: entry.pair.currency.into(),
        network: entry.pair.network.into(),
        address: entry.address.clone().into(),
        destination_tag: entry.tag.as_deref().map(kept_tag::shown).map(str::to_owned),
        memo_type: memo_type(entry.pair.network, entry.tag.as_deref()),
        label: entry.label.clone().map(Into::into),
        created_at: entry.created_at.into(),
    }
}
