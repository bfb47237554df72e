//! What a transfer usually costs its sender: the fees of a business's last deposits.

use std::collections::BTreeMap;

use checkout_core::{Currency, Decimal, Network};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Stored;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;

use crate::service::App;

/// Deposits of this long before a payment count, in seconds.
const REMEMBERED: u64 = 7 * 24 * 60 * 60;

/// Fewer of a pair say nothing of others.
const FEWEST: usize = 3;

/// Of each pair that has enough deposits, in the network's own coin.
#[derive(Debug, Default)]
pub(crate) struct UsualFees(BTreeMap<(Currency, Network), Decimal>);

impl UsualFees {
    /// As they were at a time, so that they change as little as the order of the offers.
    pub(crate) async fn at(app: &App, business: BusinessId, time: u64) -> Stored<Self> {
        let all = app.store.sent_fees(business, time.saturating_sub(REMEMBERED), time).await?;
        Ok(Self(all.into_iter().filter_map(|(pair, fees)| Some((pair, median(fees)?))).collect()))
    }

    /// Rounded up to the smallest unit of the currency. `None` if it is not known, or there is no rate.
    pub(crate) fn of(&self, app: &App, currency: Currency, network: Network, fiat: Fiat) -> Option<String> {
        let coins = self.0.get(&(currency, network))?;
        let rate = app.rates.rate(Asset::of_fees(network), Asset::Fiat(fiat)).ok()?;
        let amount = coins.checked_mul(rate)?;
        let unit = Decimal::new(1, fiat.decimals().into());
        Some(fiat.text(amount.checked_div(unit)?.ceil().checked_mul(unit)?))
    }
}

/// The higher one of two in the middle. Fees of nothing are of senders that the network shows none of.
fn median(mut fees: Vec<Decimal>) -> Option<Decimal> {
    fees.retain(|fee| *fee > Decimal::ZERO);
    fees.sort_unstable();
    (fees.len() >= FEWEST).then(|| fees[fees.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_high_fee_changes_nothing() {
        let check = |fees: &[&str], expected: Option<&str>| {
            let parse = |text: &&str| text.parse().unwrap();
            assert_eq!(median(fees.iter().map(parse).collect()), expected.map(|text| parse(&text)));
        };
        check(&["1", "2"], None);
        check(&["1", "2", "0"], None);
        check(&["900", "1", "2"], Some("2"));
        check(&["1", "1", "3", "4"], Some("3"));
    }
}
