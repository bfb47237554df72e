//! The fee of a refund: what its network asks now, at least the fixed fee of its pair.

use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Decimal, Network, Pair};
use checkout_domain::chain::payout::Payout;
use checkout_domain::ledger::limits;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::ports::broadcaster::{Broadcaster, Unsent};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use parking_lot::Mutex;

use crate::service::App;

/// Seconds for which a fee that was asked once is used while none can be computed.
const MAX_AGE: u64 = 3_600;

/// The last fee of each pair, and when it was asked.
#[derive(Debug, Default)]
pub struct NetworkFees(Mutex<BTreeMap<(Currency, Network), (Amount, u64)>>);

impl NetworkFees {
    fn keep(&self, pair: &Pair, fee: Amount, now: u64) {
        let mut all = self.0.lock();
        all.insert((pair.currency, pair.network), (fee, now));
    }

    fn last(&self, pair: &Pair, now: u64) -> Option<Amount> {
        let all = self.0.lock();
        let (fee, at) = all.get(&(pair.currency, pair.network))?;
        (*at..=at.saturating_add(MAX_AGE)).contains(&now).then_some(*fee)
    }
}

/// In the currency of the payout. An error if the network or the rate of its coin cannot be asked, and was not within the last
/// hour.
pub(super) async fn network_fee(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
) -> Result<Amount, Unsent> {
    let (pair, now) = (payout.pair, app.clock.now());
    let least = limits::of(pair).fee;
    let known = || app.state.network_fees.last(pair, now);
    let fee = match broadcaster.fee(payout).await {
        Ok(None) => return Ok(least),
        Ok(Some(coins)) => in_currency(app, coins, pair),
        Err(Unsent::Unavailable(error)) => return known().ok_or(Unsent::Unavailable(error)),
        Err(refused) => return Err(refused),
    };
    match fee {
        Some(fee) => {
            let fee = fee.max(least);
            app.state.network_fees.keep(pair, fee, now);
            Ok(fee)
        }
        None => known().ok_or_else(|| {
            let coin = Asset::of_fees(pair.network).code();
            Unsent::Unavailable(format!("there is no rate of {coin} in {}", pair.currency).into())
        }),
    }
}

/// Converts whole coins of the network to the currency of a pair, rounded up.
fn in_currency(app: &App, coins: Decimal, pair: &Pair) -> Option<Amount> {
    let (coin, currency, eur) =
        (Asset::of_fees(pair.network), Asset::Crypto(pair.currency), Asset::Fiat(Fiat::EUR));
    let fee = Money::of_decimal(coin, coins)?;
    let money = if coin == currency {
        fee
    } else {
        let (price, other) = (app.rates.rate(coin, eur).ok()?, app.rates.rate(currency, eur).ok()?);
        fee.convert(currency, price, other, Round::Up)?
    };
    let down = money.to_amount(pair).ok()?;
    let is_exact = Money::of_amount(down, pair) == Some(money);
    if is_exact { Some(down) } else { Amount::from_atoms(down.atoms() + 1).ok() }
}
