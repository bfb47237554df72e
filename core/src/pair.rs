//! Pairs of currency and network, and the tables that list them. The pairs of a network are in its file.

#[cfg(feature = "gateway")]
mod served;
mod table;

pub use crate::chain::{Pair, PairLimits};
use crate::currency::Currency;
use crate::network::Network;
#[cfg(feature = "gateway")]
pub use served::{by_codes, deposit_networks, find, is_token_contract, usual};
pub use table::Table;
#[cfg(feature = "gateway")]
pub use table::{EVERY_PAIR, PAIRS};

impl Pair {
    /// The row of a pair, or `None` if the currency does not exist on that network.
    pub fn find(currency: Currency, network: Network) -> Option<&'static Self> {
        Table::All.pairs().iter().find(|pair| pair.currency == currency && pair.network == network)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::table::ALL;
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
                ALL.iter().filter(|pair| pair.network == *network).map(|pair| pair.opt_in).collect();
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
