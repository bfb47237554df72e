//! The tolerance: how far below the expected amount a payment counts as covered.

use checkout_core::{Amount, Decimal};
use checkout_wire::RateType;

use super::Quote;
use crate::ledger::limits::relayed;

/// The tolerated share at a floating rate, if the business sets none.
pub const FLOATING_SHARE: Decimal = Decimal::from_parts(5, 0, 0, false, 3);

/// The largest of one unit of the quote's last place, what no node relays, and `share` of the amount. Without a share: none for FIXED,
/// [`FLOATING_SHARE`] for FLOATING. What covers the payment is itself never less than nodes relay, and never nothing.
pub fn tolerance(quote: &Quote, rate_type: RateType, share: Option<Decimal>) -> Amount {
    let pair = quote.pair();
    let unit = 10_u128.pow(u32::from(pair.decimals.saturating_sub(pair.quote_precision)));
    let default = match rate_type {
        RateType::Fixed => Decimal::ZERO,
        RateType::Floating => FLOATING_SHARE,
    };
    let share = share.unwrap_or(default);
    // In millionths, rounded down.
    let millionths = (share * Decimal::from(1_000_000)).trunc();
    let part = u128::try_from(millionths)
        .ok()
        .and_then(|millionths| quote.terms.expected.atoms().checked_mul(millionths))
        .map_or(0, |atoms| atoms / 1_000_000);
    let relayed = relayed(pair).atoms();
    let most = quote.terms.expected.atoms().saturating_sub(relayed.max(1));
    Amount::from_atoms(part.max(unit).max(relayed.saturating_sub(1)).min(most)).unwrap_or(Amount::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payment::Terms;
    use crate::rates::fiat::Fiat;
    use crate::rates::market::ShownRates;
    use checkout_core::{Currency, Network, decimal};

    #[test]
    fn one_unit_or_a_share() {
        let check = |(currency, network), expected: u128, rate_type, share: Option<&str>, atoms: u128| {
            let one = Decimal::ONE;
            let quote = Quote {
                currency,
                network,
                address: String::new(),
                tag: None,
                fiat: Fiat::EUR,
                terms: Terms {
                    expected: Amount::from_atoms(expected).unwrap(),
                    shown: ShownRates { display: one, uniform: one },
                    display: one,
                    uniform: one,
                },
                requested_at: 0,
            };
            let share = share.map(|text| decimal::parse(text, 6).unwrap());
            assert_eq!(tolerance(&quote, rate_type, share).atoms(), atoms);
        };
        let (btc, eth) = ((Currency::Btc, Network::Btc), (Currency::Eth, Network::Eth));
        let (bch, usdt) = ((Currency::Bch, Network::Bch), (Currency::Usdt, Network::Trx));
        check(btc, 166_667, RateType::Fixed, None, 293);
        check(btc, 166_667, RateType::Floating, None, 833);
        check(btc, 166_667, RateType::Fixed, Some("0.01"), 1_666);
        check(btc, 166_667, RateType::Floating, Some("0"), 293);
        check(bch, 25_000_000, RateType::Fixed, None, 545);
        // What nodes relay is needed in any case.
        check(btc, 588, RateType::Fixed, None, 293);
        check(btc, 500, RateType::Fixed, None, 206);
        check(btc, 500, RateType::Fixed, Some("0.9"), 206);
        check(btc, 294, RateType::Fixed, None, 0);
        check(btc, 100, RateType::Floating, None, 0);
        check(usdt, 2, RateType::Fixed, None, 1);
        check(usdt, 1, RateType::Fixed, None, 0);
        check(eth, 33_333_340_000_000_000, RateType::Fixed, None, 10_000_000_000);
    }
}
