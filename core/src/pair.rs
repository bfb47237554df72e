//! Which currency travels on which network: one row a pair, as interface section 2.10 has it.

use crate::currency::Currency;
use crate::network::Network;

/// One row of [`PAIRS`].
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub currency: Currency,
    pub network: Network,
    /// Payers may deposit by this pair.
    pub deposit: bool,
    /// Merchants may withdraw by this pair, and whitelist addresses for it.
    pub withdrawal: bool,
    /// Decimal places of one atomic unit on this network. USDT has 6 on ETH and 18 on BSC.
    pub decimals: u8,
    /// Decimal places to which a quoted deposit amount is rounded up; at most 8.
    pub quote_precision: u8,
    /// The token's contract; `None` for the network's own coin.
    pub contract: Option<&'static str>,
}

/// Every supported pair. What is not here is not supported.
pub const PAIRS: [Pair; 14] = [
    coin(Currency::Btc, Network::Btc, 8),
    coin(Currency::Bch, Network::Bch, 8),
    coin(Currency::Ltc, Network::Ltc, 8),
    coin(Currency::Eth, Network::Eth, 18),
    token(Currency::Eth, Network::Bsc, 18, 8, "0x2170Ed0880ac9A755fd29B2688956BD959F933F8"),
    token(Currency::Usdc, Network::Eth, 6, 6, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
    token(Currency::Usdc, Network::Bsc, 18, 6, "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"),
    token(Currency::Usdc, Network::Trx, 6, 6, "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8"),
    token(Currency::Usdt, Network::Eth, 6, 6, "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
    token(Currency::Usdt, Network::Bsc, 18, 6, "0x55d398326f99059fF775485246999027B3197955"),
    token(Currency::Usdt, Network::Trx, 6, 6, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
    coin(Currency::Xrp, Network::Xrp, 6),
    coin(Currency::Xlm, Network::Xlm, 7),
    token(Currency::Link, Network::Eth, 18, 8, "0x514910771AF9Ca656af840dff83E8264EcF986CA"),
];

const fn coin(currency: Currency, network: Network, decimals: u8) -> Pair {
    let quote_precision = if decimals < 8 { decimals } else { 8 };
    let (deposit, withdrawal) = (true, true);
    Pair { currency, network, deposit, withdrawal, decimals, quote_precision, contract: None }
}

const fn token(
    currency: Currency,
    network: Network,
    decimals: u8,
    quote_precision: u8,
    contract: &'static str,
) -> Pair {
    let (deposit, withdrawal, contract) = (true, true, Some(contract));
    Pair { currency, network, deposit, withdrawal, decimals, quote_precision, contract }
}

/// The row of a pair, or `None` when the currency does not travel on that network.
pub fn find(currency: Currency, network: Network) -> Option<&'static Pair> {
    PAIRS.iter().find(|pair| pair.currency == currency && pair.network == network)
}

/// The networks on which a payer can deposit this currency, in table order.
pub fn deposit_networks(currency: Currency) -> impl Iterator<Item = Network> {
    PAIRS.iter().filter(move |pair| pair.currency == currency && pair.deposit).map(|pair| pair.network)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::currency::CURRENCIES;
    use crate::network::NETWORKS;

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
    fn every_currency_and_every_network_is_used() {
        for row in &CURRENCIES {
            assert!(PAIRS.iter().any(|pair| pair.currency == row.currency), "{row:?}");
        }
        for row in &NETWORKS {
            assert!(PAIRS.iter().any(|pair| pair.network == row.network), "{row:?}");
        }
    }
}
