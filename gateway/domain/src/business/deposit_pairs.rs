//! The pairs that a business takes: some currencies on all their networks, others on chosen networks only.

use std::fmt;
use std::str::FromStr;

use checkout_core::{Currency, Network, pair};

/// `BTC`: on all networks; `USDC/ETH`: on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepositChoice {
    pub currency: Currency,
    pub network: Option<Network>,
}

impl DepositChoice {
    pub fn is(&self, currency: Currency, network: Network) -> bool {
        self.currency == currency && self.network.is_none_or(|only| only == network)
    }
}

impl FromStr for DepositChoice {
    type Err = String;

    /// Errors are the end of a sentence.
    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || "not listed by `checkout currencies`".to_owned();
        let Some((currency, network)) = text.split_once('/') else {
            return Ok(Self { currency: text.parse().map_err(|_| unknown())?, network: None });
        };
        let (currency, network) =
            (currency.parse().map_err(|_| unknown())?, network.parse().map_err(|_| unknown())?);
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

/// The networks that are chosen singly.
pub fn networks(choices: &[DepositChoice]) -> Vec<(Currency, Network)> {
    let is_everywhere =
        |currency| choices.iter().any(|other| other.currency == currency && other.network.is_none());
    let singly = choices.iter().filter(|choice| !is_everywhere(choice.currency));
    singly.filter_map(|choice| Some((choice.currency, choice.network?))).collect()
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
        check("DOGE", Err("not listed by `checkout currencies`"));
        check("USDC/", Err("not listed by `checkout currencies`"));
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
}
