//! Supported pairs of currency and network, from interface section 2.10. The pairs of a network are in its file.

use crate::chain::CHAINS;
pub use crate::chain::{Pair, PairLimits};
use crate::currency::Currency;
use crate::network::Network;

/// Every supported pair, network by network.
pub static PAIRS: &[Pair] = &all();

const COUNT: usize = {
    let (mut count, mut chain) = (0, 0);
    while chain < CHAINS.len() {
        count += CHAINS[chain].pairs.len();
        chain += 1;
    }
    count
};

const fn all() -> [Pair; COUNT] {
    let mut all = [CHAINS[0].pairs[0]; COUNT];
    let (mut next, mut chain) = (0, 0);
    while chain < CHAINS.len() {
        let mut row = 0;
        while row < CHAINS[chain].pairs.len() {
            all[next] = CHAINS[chain].pairs[row];
            next += 1;
            row += 1;
        }
        chain += 1;
    }
    all
}

/// The row of a pair, or `None` if the currency does not exist on that network.
pub fn find(currency: Currency, network: Network) -> Option<&'static Pair> {
    PAIRS.iter().find(|pair| pair.currency == currency && pair.network == network)
}

/// The networks on which a payer can deposit this currency, in table order.
pub fn deposit_networks(currency: Currency) -> impl Iterator<Item = Network> {
    PAIRS.iter().filter(move |pair| pair.currency == currency && pair.deposit).map(|pair| pair.network)
}

/// Whether this address is a token's contract on that network. Coins sent to the contract itself are lost.
pub fn is_token_contract(network: Network, address: &str) -> bool {
    let mut contracts = PAIRS.iter().filter(|pair| pair.network == network).filter_map(|pair| pair.contract);
    contracts.any(|contract| contract.eq_ignore_ascii_case(address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::currency::CURRENCIES;

    #[test]
    fn rows_are_unique_and_within_limits() {
        for (i, pair) in PAIRS.iter().enumerate() {
            assert!(pair.quote_precision <= 8 && pair.quote_precision <= pair.decimals, "{pair:?}");
            let twins = PAIRS[i + 1..].iter();
            let mut twins = twins.filter(|p| (p.currency, p.network) == (pair.currency, pair.network));
            assert!(twins.next().is_none(), "twice: {pair:?}");
        }
    }

    #[test]
    fn the_contracts_of_tokens() {
        let check = |network, address: &str, expected| {
            assert_eq!(is_token_contract(network, address), expected, "{network} {address}");
        };
        for pair in PAIRS {
            let Some(contract) = pair.contract else { continue };
            check(pair.network, contract, true);
            check(pair.network, &contract.to_ascii_lowercase(), true);
            check(Network::Xrp, contract, false);
        }
        check(Network::Eth, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", false);
        check(Network::Bsc, "0xdAC17F958D2ee523a2206206994597C13D831ec7", false);
    }

    #[test]
    fn every_currency_and_every_network_is_used() {
        for row in CURRENCIES {
            assert!(PAIRS.iter().any(|pair| pair.currency == row.currency), "{row:?}");
        }
        for network in Network::ALL {
            assert!(PAIRS.iter().any(|pair| pair.network == *network), "{network}");
        }
    }
}
