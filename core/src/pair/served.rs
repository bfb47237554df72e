//! What a gateway asks about pairs: only those that it can serve exist.

use super::{EVERY_PAIR, Pair};
use crate::currency::Currency;
use crate::network::Network;

/// The row of a pair, or `None` if no gateway serves the currency on that network.
pub fn find(currency: Currency, network: Network) -> Option<&'static Pair> {
    EVERY_PAIR.iter().find(|pair| pair.currency == currency && pair.network == network)
}

/// The row of a pair by its exact codes.
pub fn by_codes(currency: &str, network: &str) -> Option<&'static Pair> {
    find(currency.parse().ok()?, network.parse().ok()?)
}

/// The pairs that a currency has unless others are named: those of the interface, or all of a currency that it lacks.
pub fn usual(currency: Currency) -> impl Iterator<Item = &'static Pair> {
    let opt_in = currency.spec().opt_in;
    EVERY_PAIR.iter().filter(move |pair| pair.currency == currency && (opt_in || !pair.opt_in))
}

/// The networks on which a payer can deposit this currency, in table order.
pub fn deposit_networks(currency: Currency) -> impl Iterator<Item = Network> {
    EVERY_PAIR.iter().filter(move |pair| pair.currency == currency && pair.deposit).map(|pair| pair.network)
}

/// Whether this address is a token's contract on that network. Coins sent to the contract itself are lost.
pub fn is_token_contract(network: Network, address: &str) -> bool {
    let mut contracts =
        EVERY_PAIR.iter().filter(|pair| pair.network == network).filter_map(|pair| pair.contract);
    contracts.any(|contract| contract.eq_ignore_ascii_case(address))
}
