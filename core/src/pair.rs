//! Supported pairs of currency and network: one row each, from interface section 2.10.

use crate::currency::Currency;
use crate::network::Network;

/// One row of [`PAIRS`].
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub currency: Currency,
    pub network: Network,
    /// Payers can deposit with this pair.
    pub deposit: bool,
    /// Merchants can withdraw with this pair and whitelist addresses for it.
    pub withdrawal: bool,
    /// Decimal places of one atomic unit on this network. USDT has 6 on ETH and 18 on BSC.
    pub decimals: u8,
    /// Decimal places to which a quoted deposit amount is rounded up; at most 8.
    pub quote_precision: u8,
    /// The token's contract; `None` for the network's own coin.
    pub contract: Option<&'static str>,
    pub limits: PairLimits,
}

/// The fee and limits of withdrawals with a pair, in whole coins.
///
/// Fees cover the network fee on a busy day. A minimum is at least ten fees, unless dust rules and reserves
/// require more.
#[derive(Clone, Copy, Debug)]
pub struct PairLimits {
    /// The network fee, which the recipient of a refund or the merchant pays.
    pub fee: &'static str,
    pub minimum: &'static str,
    pub maximum: &'static str,
}

const fn limits(fee: &'static str, minimum: &'static str, maximum: &'static str) -> PairLimits {
    PairLimits { fee, minimum, maximum }
}

/// Every supported pair.
pub static PAIRS: &[Pair] = &[
    coin(Currency::Btc, Network::Btc, 8, limits("0.00003", "0.0005", "50")),
    coin(Currency::Bch, Network::Bch, 8, limits("0.00001", "0.005", "5000")),
    coin(Currency::Ltc, Network::Ltc, 8, limits("0.0001", "0.02", "20000")),
    coin(Currency::Eth, Network::Eth, 18, limits("0.0006", "0.01", "1000")),
    token(
        Currency::Eth,
        Network::Bsc,
        18,
        8,
        "0x2170Ed0880ac9A755fd29B2688956BD959F933F8",
        limits("0.00005", "0.002", "500"),
    ),
    token(
        Currency::Usdc,
        Network::Eth,
        6,
        6,
        "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
        limits("1.5", "15", "1000000"),
    ),
    token(
        Currency::Usdc,
        Network::Bsc,
        18,
        6,
        "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
        limits("0.2", "5", "500000"),
    ),
    token(
        Currency::Usdc,
        Network::Trx,
        6,
        6,
        "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8",
        limits("1", "10", "500000"),
    ),
    token(
        Currency::Usdt,
        Network::Eth,
        6,
        6,
        "0xdAC17F958D2ee523a2206206994597C13D831ec7",
        limits("1.5", "15", "1000000"),
    ),
    token(
        Currency::Usdt,
        Network::Bsc,
        18,
        6,
        "0x55d398326f99059fF775485246999027B3197955",
        limits("0.2", "5", "500000"),
    ),
    token(
        Currency::Usdt,
        Network::Trx,
        6,
        6,
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        limits("1", "10", "1000000"),
    ),
    coin(Currency::Xrp, Network::Xrp, 6, limits("0.001", "10", "2000000")),
    coin(Currency::Xlm, Network::Xlm, 7, limits("0.001", "20", "5000000")),
    token(
        Currency::Link,
        Network::Eth,
        18,
        8,
        "0x514910771AF9Ca656af840dff83E8264EcF986CA",
        limits("0.1", "1", "50000"),
    ),
];

const fn coin(currency: Currency, network: Network, decimals: u8, limits: PairLimits) -> Pair {
    let quote_precision = if decimals < 8 { decimals } else { 8 };
    let (deposit, withdrawal) = (true, true);
    Pair { currency, network, deposit, withdrawal, decimals, quote_precision, contract: None, limits }
}

const fn token(
    currency: Currency,
    network: Network,
    decimals: u8,
    quote_precision: u8,
    contract: &'static str,
    limits: PairLimits,
) -> Pair {
    let (deposit, withdrawal, contract) = (true, true, Some(contract));
    Pair { currency, network, deposit, withdrawal, decimals, quote_precision, contract, limits }
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
