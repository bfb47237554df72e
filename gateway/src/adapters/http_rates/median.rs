//! One rate from several sources: their median, if most of them agree.

use checkout_core::Decimal;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;

use super::feed::Pair;

/// A source agrees if it is within one part in this many of the median: 2.5 %.
const CLOSE: u8 = 40;

/// The result of several sources' answers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Combined {
    pub(super) pairs: Vec<Pair>,
    /// Pairs on which the sources disagree.
    pub(super) disputed: Vec<(Asset, Asset)>,
}

/// The answer of a single source is used unchanged.
pub(super) fn combine(mut answers: Vec<Vec<Pair>>) -> Combined {
    if answers.len() < 2 {
        return Combined { pairs: answers.pop().unwrap_or_default(), disputed: Vec::new() };
    }
    let mut said: Vec<((Asset, Asset), Vec<Decimal>)> = Vec::new();
    for (from, to, rate) in answers.into_iter().flatten().filter_map(in_euros) {
        match said.iter_mut().find(|(pair, _)| *pair == (from, to)) {
            Some((_, rates)) => rates.push(rate),
            None => said.push(((from, to), vec![rate])),
        }
    }
    let mut combined = Combined::default();
    for ((from, to), rates) in said {
        match agreed(rates) {
            Some(rate) => combined.pairs.push((from, to, rate)),
            None => combined.disputed.push((from, to)),
        }
    }
    combined
}

/// A pair with the euro is converted to the other currency's price in euros, so that sources can be compared.
fn in_euros((from, to, rate): Pair) -> Option<Pair> {
    let euro = Asset::Fiat(Fiat::EUR);
    if from == euro { Some((to, from, Decimal::ONE.checked_div(rate)?)) } else { Some((from, to, rate)) }
}

/// The median of the rates close to the overall median; `None` unless they are more than half.
fn agreed(mut rates: Vec<Decimal>) -> Option<Decimal> {
    let middle = median(&mut rates)?;
    let count = rates.len();
    let is_close = |rate: &Decimal| (*rate - middle).abs() * Decimal::from(CLOSE) <= middle;
    rates.retain(is_close);
    if rates.len() * 2 > count { median(&mut rates) } else { None }
}

fn median(rates: &mut [Decimal]) -> Option<Decimal> {
    rates.sort();
    let high = *rates.get(rates.len() / 2)?;
    let low = rates[(rates.len() - 1) / 2];
    Some(low + (high - low) / Decimal::TWO)
}

#[cfg(test)]
mod tests {
    use checkout_core::decimal;

    use super::*;

    fn pair(text: &str) -> Pair {
        let words: Vec<&str> = text.split(' ').collect();
        let asset = |code| Asset::known(code).unwrap();
        (asset(words[0]), asset(words[1]), decimal::parse(words[2], 24).unwrap())
    }

    fn check(sources: &[&[&str]], expected: &[&str], disputed: &[&str]) {
        let combined =
            combine(sources.iter().map(|source| source.iter().map(|text| pair(text)).collect()).collect());
        let shown: Vec<String> = combined
            .pairs
            .iter()
            .map(|(from, to, rate)| format!("{} {} {}", from.code(), to.code(), rate.normalize()))
            .collect();
        let contested: Vec<String> =
            combined.disputed.iter().map(|(from, to)| format!("{} {}", from.code(), to.code())).collect();
        assert_eq!((shown, contested), (owned(expected), owned(disputed)), "{sources:?}");
    }

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn the_median_of_those_that_agree() {
        check(&[], &[], &[]);
        check(&[&["BTC EUR 60000", "EUR USD 1.08"]], &["BTC EUR 60000", "EUR USD 1.08"], &[]);
        check(&[&["BTC EUR 60000"], &["BTC EUR 60100"]], &["BTC EUR 60050"], &[]);
        check(&[&["BTC EUR 60000"], &["BTC EUR 60100"], &["BTC EUR 60010"]], &["BTC EUR 60010"], &[]);
        check(&[&["BTC EUR 60000"], &["BTC EUR 600"], &["BTC EUR 60010"]], &["BTC EUR 60005"], &[]);
        check(&[&["BTC EUR 60000"], &["ETH EUR 3000"]], &["BTC EUR 60000", "ETH EUR 3000"], &[]);
        check(&[&["EUR USD 1.25"], &["USD EUR 0.8"]], &["USD EUR 0.8"], &[]);
    }

    /// It is unknown which of two sources is right.
    #[test]
    fn sources_that_contradict_each_other() {
        check(&[&["BTC EUR 60000", "ETH EUR 3000"], &["BTC EUR 64000"]], &["ETH EUR 3000"], &["BTC EUR"]);
        check(&[&["BTC EUR 60000"], &["BTC EUR 66000"], &["BTC EUR 54000"]], &[], &["BTC EUR"]);
        check(&[&["BTC EUR 60000"], &["BTC EUR 63000"]], &["BTC EUR 61500"], &[]);
        check(&[&["BTC EUR 60000"], &["BTC EUR 63200"]], &[], &["BTC EUR"]);
    }
}
