//! The pairs that a business takes: some currencies on all their usual networks, others on chosen networks only. A network
//! that interface section 2.10 lacks is taken only if it is named.

use std::fmt;
use std::str::FromStr;

use checkout_core::{Currency, Network, pair};

/// `BTC`: on all usual networks; `USDC/ETH`: on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepositChoice {
    pub currency: Currency,
    pub network: Option<Network>,
}

impl DepositChoice {
    pub fn is(&self, currency: Currency, network: Network) -> bool {
        let is_usual = || pair::usual(currency).any(|pair| pair.network == network);
        self.currency == currency && self.network.map_or_else(is_usual, |only| only == network)
    }
}

impl FromStr for DepositChoice {
    type Err = String;

    /// Errors are the end of a sentence.
    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || "not listed by `checkout currencies`".to_owned();
        let Some((currency, network)) = text.split_once('/') else {
            return Ok(Self { currency: Currency::served(text).ok_or_else(unknown)?, network: None });
        };
        let (currency, network) =
            (Currency::served(currency).ok_or_else(unknown)?, Network::served(network).ok_or_else(unknown)?);
        match pair::find(currency, network).filter(|pair| pair.deposit) {
            Some(_) => Ok(Self { currency, network: Some(network) }),
            None => Err(format!("{currency} is not taken on {network}")),
        }
    }
}

impl fmt::Display for DepositChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.network {
            None => write!(f, "{}", self.currency),
            Some(network) => write!(f, "{}/{network}", self.currency),
        }
    }
}

/// The currencies of these choices, each once, in their order.
pub fn currencies(choices: &[DepositChoice]) -> Vec<Currency> {
    let mut all = Vec::new();
    for choice in choices {
        if !all.contains(&choice.currency) {
            all.push(choice.currency);
        }
    }
    all
}

/// The networks of the currencies that are not taken on exactly their usual ones.
pub fn networks(choices: &[DepositChoice]) -> Vec<(Currency, Network)> {
    let mut all = Vec::new();
    for currency in currencies(choices) {
        let chosen = || choices.iter().filter(move |choice| choice.currency == currency);
        let usual: Vec<Network> = pair::usual(currency).map(|pair| pair.network).collect();
        let is_usual = chosen().any(|choice| choice.network.is_none());
        let mut networks = if is_usual { usual.clone() } else { Vec::new() };
        for network in chosen().filter_map(|choice| choice.network) {
            if !networks.contains(&network) {
                networks.push(network);
            }
        }
        if !is_usual || networks.len() > usual.len() {
            all.extend(networks.into_iter().map(|network| (currency, network)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices() {
        let check = |text: &str, expected: Result<&str, &str>| {
            let read = text.parse::<DepositChoice>().map(|choice| choice.to_string());
            assert_eq!(read.as_deref().map_err(String::as_str), expected, "{text}");
        };
        check("BTC", Ok("BTC"));
        check("USDC/ETH", Ok("USDC/ETH"));
        check("USDC/BTC", Err("USDC is not taken on BTC"));
        check("SHIB", Err("not listed by `checkout currencies`"));
        check("USDC/", Err("not listed by `checkout currencies`"));
        check("USDC/POLYGON", Ok("USDC/POLYGON"));
        check("ETH/POLYGON", Err("ETH is not taken on POLYGON"));
    }

    #[test]
    fn a_currency_named_alone_is_taken_everywhere() {
        let read =
            |text: &str| -> Vec<DepositChoice> { text.split(',').map(|one| one.parse().unwrap()).collect() };
        let choices = read("BTC,USDC/ETH,USDC/BSC,USDT/TRX,USDT");
        assert_eq!(currencies(&choices), [Currency::Btc, Currency::Usdc, Currency::Usdt]);
        let usdc = |network| (Currency::Usdc, network);
        assert_eq!(networks(&choices), [usdc(Network::Eth), usdc(Network::Bsc)]);
    }

    #[test]
    fn a_network_beyond_the_interface_is_taken_only_if_it_is_named() {
        let check = |text: &str, expected: &[Network]| {
            let choices: Vec<DepositChoice> = text.split(',').map(|one| one.parse().unwrap()).collect();
            let networks: Vec<Network> = networks(&choices).into_iter().map(|(_, network)| network).collect();
            assert_eq!(networks, expected, "{text}");
        };
        let usual = [Network::Eth, Network::Bsc, Network::Trx];
        check("USDC", &[]);
        check("USDC,USDC/ETH", &[]);
        check("USDC,USDC/POLYGON", &[&usual[..], &[Network::Polygon]].concat());
        check("USDC/BASE,USDC/POLYGON,USDC/BASE", &[Network::Base, Network::Polygon]);
        let alone: DepositChoice = "USDC".parse().unwrap();
        assert!(alone.is(Currency::Usdc, Network::Bsc) && !alone.is(Currency::Usdc, Network::Base));
    }
}
