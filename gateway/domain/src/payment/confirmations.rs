//! The confirmations that a deposit needs by its amount, beside those that its network needs of every transfer.

use std::collections::BTreeMap;
use std::fmt;

use checkout_core::{Decimal, Network};

use crate::rates::fiat::Fiat;

/// Amounts of a network, and the confirmations that they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub of: Amounts,
    pub required: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amounts {
    All,
    Above(Decimal, Fiat),
}

impl Amounts {
    /// An amount without a known worth may be of any size.
    fn has(self, worth: impl Fn(Fiat) -> Option<Decimal>) -> bool {
        match self {
            Self::All => true,
            Self::Above(least, fiat) => worth(fiat).is_none_or(|worth| worth > least),
        }
    }

    /// Whether it has every amount of the other one, as far as no rate is needed to tell.
    fn includes(self, other: Self) -> bool {
        match (self, other) {
            (Self::All, _) => true,
            (Self::Above(least, fiat), Self::Above(other, same)) => fiat == same && least <= other,
            (Self::Above(..), Self::All) => false,
        }
    }
}

impl fmt::Display for Amounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("every amount"),
            Self::Above(least, fiat) => write!(f, "above {least} {}", fiat.code()),
        }
    }
}

/// A rule that never holds, or holds for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongRule {
    /// An unconfirmed transfer can vanish.
    None(Amounts),
    /// Another rule asks at least as much of these amounts.
    Idle { rule: Amounts, other: Amounts },
}

impl fmt::Display for WrongRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None(of) => write!(f, "{of}: required must be at least 1"),
            Self::Idle { rule, other } => {
                write!(f, "{rule}: required must be more than what {other} needs, or the row goes")
            }
        }
    }
}

/// The rules of each network; without any, one confirmation is enough.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmations(BTreeMap<Network, Vec<Rule>>);

impl Confirmations {
    pub fn set(&mut self, network: Network, rules: Vec<Rule>) -> Result<(), WrongRule> {
        for (place, rule) in rules.iter().enumerate() {
            if rule.required == 0 {
                return Err(WrongRule::None(rule.of));
            }
            let is_idle = |(at, other): &(usize, &Rule)| {
                *at != place && other.of.includes(rule.of) && other.required >= rule.required
            };
            if let Some((_, other)) = rules.iter().enumerate().find(is_idle) {
                return Err(WrongRule::Idle { rule: rule.of, other: other.of });
            }
        }
        self.0.insert(network, rules);
        Ok(())
    }

    /// Of an amount with this worth in each currency, at the market's rate; `None` without a rate: then the strictest rule holds.
    pub fn required(&self, network: Network, worth: impl Fn(Fiat) -> Option<Decimal>) -> u64 {
        let rules = self.0.get(&network).into_iter().flatten().filter(|rule| rule.of.has(&worth));
        rules.map(|rule| u64::from(rule.required)).max().unwrap_or(1)
    }

    /// Each network with its rules.
    pub fn all(&self) -> impl Iterator<Item = (Network, &[Rule])> {
        self.0.iter().map(|(network, rules)| (*network, rules.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use checkout_core::decimal;

    use super::*;

    fn rules(rows: &[(&str, u32)]) -> Vec<Rule> {
        let of = |text: &str| match text.split_once(' ') {
            None => Amounts::All,
            Some((least, fiat)) => {
                Amounts::Above(decimal::parse(least, 2).unwrap(), fiat.parse().expect("a fiat currency"))
            }
        };
        rows.iter().map(|(above, required)| Rule { of: of(above), required: *required }).collect()
    }

    #[test]
    fn a_larger_amount_needs_more_confirmations() {
        let euros: &[(&str, u32)] = &[("1000 EUR", 3), ("10000 EUR", 6)];
        let both: &[(&str, u32)] = &[("", 2), ("1000 EUR", 3), ("5000 USD", 12)];
        for (rows, worth, required) in [
            (&[][..], &[("EUR", "1000000")][..], 1),
            (&[][..], &[], 1),
            (euros, &[("EUR", "0")], 1),
            (euros, &[("EUR", "1000")], 1),
            (euros, &[("EUR", "1000.01")], 3),
            (euros, &[("EUR", "10000")], 3),
            (euros, &[("EUR", "10000.01")], 6),
            (euros, &[("EUR", "1000000000")], 6),
            // Without a rate, each amount may be the largest.
            (euros, &[], 6),
            (both, &[("EUR", "1"), ("USD", "1")], 2),
            (both, &[("EUR", "1001"), ("USD", "1101")], 3),
            (both, &[("EUR", "4600"), ("USD", "5060")], 12),
            (both, &[("EUR", "1")], 12),
            (both, &[("USD", "1")], 3),
        ] {
            let mut confirmations = Confirmations::default();
            confirmations.set(Network::Btc, rules(rows)).unwrap();
            let of = |fiat: Fiat| {
                let worth = worth.iter().find(|(code, _)| *code == fiat.code());
                worth.map(|(_, worth)| decimal::parse(worth, 2).unwrap())
            };
            assert_eq!(confirmations.required(Network::Btc, of), required, "{rows:?} {worth:?}");
            assert_eq!(confirmations.required(Network::Ltc, of), 1, "another network");
        }
    }

    #[test]
    fn a_rule_that_never_holds_is_refused() {
        for (rows, said) in [
            (&[("", 2), ("1000 EUR", 3)][..], None),
            (&[("1000 EUR", 3), ("100 USD", 3)], None),
            (&[("10000 EUR", 6), ("1000 EUR", 3)], None),
            (&[("", 0)], Some("every amount: required must be at least 1")),
            (&[("1000 EUR", 0)], Some("above 1000 EUR: required must be at least 1")),
            (
                &[("1000 EUR", 6), ("10000 EUR", 3)],
                Some(
                    "above 10000 EUR: required must be more than what above 1000 EUR needs, or the row goes",
                ),
            ),
            (
                &[("", 3), ("1000 EUR", 3)],
                Some("above 1000 EUR: required must be more than what every amount needs, or the row goes"),
            ),
            (
                &[("1000 EUR", 3), ("1000 EUR", 4)],
                Some("above 1000 EUR: required must be more than what above 1000 EUR needs, or the row goes"),
            ),
            (
                &[("", 1), ("", 1)],
                Some("every amount: required must be more than what every amount needs, or the row goes"),
            ),
        ] {
            let set = Confirmations::default().set(Network::Btc, rules(rows));
            assert_eq!(set.err().map(|wrong| wrong.to_string()).as_deref(), said, "{rows:?}");
        }
    }
}
