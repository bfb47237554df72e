//! Pairs of currency and network. The pairs of a network are in its file.

use crate::chain::PAIRS_OF_CHAINS;
pub use crate::chain::{Pair, PairLimits};
use crate::currency::Currency;
use crate::network::Network;

/// The pairs of interface section 2.10, network by network: each gateway knows these.
pub static PAIRS: &[Pair] = ALL.split_at(COUNTS.0).0;

/// Also the pairs that are opted in, which come last.
pub static EVERY_PAIR: &[Pair] = &ALL;

static ALL: [Pair; COUNTS.1] = all();

/// The number of pairs of the interface, and of all.
const COUNTS: (usize, usize) = {
    let (mut usual, mut count, mut chain) = (0, 0, 0);
    while chain < PAIRS_OF_CHAINS.len() {
        let mut row = 0;
        while row < PAIRS_OF_CHAINS[chain].len() {
            if !PAIRS_OF_CHAINS[chain][row].opt_in {
                assert!(usual == count, "a pair of the interface comes after one that is opted in");
                usual += 1;
            }
            count += 1;
            row += 1;
        }
        chain += 1;
    }
    (usual, count)
};

const fn all() -> [Pair; COUNTS.1] {
    let mut all = [PAIRS_OF_CHAINS[0][0]; COUNTS.1];
    let (mut next, mut chain) = (0, 0);
    while chain < PAIRS_OF_CHAINS.len() {
        let mut row = 0;
        while row < PAIRS_OF_CHAINS[chain].len() {
            all[next] = PAIRS_OF_CHAINS[chain][row];
            next += 1;
            row += 1;
        }
        chain += 1;
    }
    all
}

/// The row of a pair, or `None` if the currency does not exist on that network.
pub fn find(currency: Currency, network: Network) -> Option<&'static Pair> {
    EVERY_PAIR.iter().find(|pair| pair.currency == currency && pair.network == network)
}

/// The row of a pair by its exact codes, or `None` if one is unknown or the currency does not exist on that network.
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

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::currency::{CURRENCIES, EVERY_CURRENCY};

    #[test]
    fn rows_are_unique_and_within_limits() {
        for (i, pair) in EVERY_PAIR.iter().enumerate() {
            assert!(pair.quote_precision <= 8 && pair.quote_precision <= pair.decimals, "{pair:?}");
            let twins = EVERY_PAIR[i + 1..].iter();
            let mut twins = twins.filter(|p| (p.currency, p.network) == (pair.currency, pair.network));
            assert!(twins.next().is_none(), "twice: {pair:?}");
        }
    }

    #[test]
    fn the_contracts_of_tokens() {
        let check = |network, address: &str, expected| {
            assert_eq!(is_token_contract(network, address), expected, "{network} {address}");
        };
        for pair in EVERY_PAIR {
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
        for row in EVERY_CURRENCY {
            let mut pairs = EVERY_PAIR.iter().filter(|pair| pair.currency == row.currency).peekable();
            assert!(pairs.peek().is_some(), "{row:?}");
            assert_eq!(pairs.all(|pair| pair.opt_in), row.opt_in, "{row:?}");
        }
        for network in Network::ALL {
            let opt_in: Vec<bool> =
                EVERY_PAIR.iter().filter(|pair| pair.network == *network).map(|pair| pair.opt_in).collect();
            assert!(!opt_in.is_empty() && opt_in.iter().all(|row| *row == network.is_opt_in()), "{network}");
        }
    }

    #[test]
    fn the_interface_has_its_pairs_and_no_more() {
        assert_eq!((PAIRS.len(), CURRENCIES.len()), (14, 9));
        assert!(
            PAIRS.iter().all(|pair| !pair.opt_in) && EVERY_PAIR[PAIRS.len()..].iter().all(|pair| pair.opt_in)
        );
        let usual = |currency| usual(currency).map(|pair| pair.network).collect::<Vec<_>>();
        assert_eq!(usual(Currency::Usdc), [Network::Eth, Network::Bsc, Network::Trx]);
    }
}
