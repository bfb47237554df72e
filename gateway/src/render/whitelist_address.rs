//! A whitelisted address, interface section 2.5.

use checkout_core::wire::whitelist_address::WhitelistedAddress;
use checkout_domain::withdrawal::whitelist::Entry;

pub fn whitelist_address(entry: &Entry) -> WhitelistedAddress {
    WhitelistedAddress {
        id: entry.id.to_string(),
        client_address_id: entry.client_address_id.clone(),
        currency: entry.pair.currency.code().to_owned(),
        network: entry.pair.network.code().to_owned(),
        address: entry.address.clone(),
        destination_tag: entry.tag.clone(),
        label: entry.label.clone(),
        created_at: entry.created_at,
    }
}
