//! What networks ask now, and the fee of it: for everything that leaves.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use checkout_core::{Amount, Currency, Decimal, Network, Pair};
use checkout_domain::chain::payout::Payout;
use checkout_domain::ledger::fee::{Fees, fee};
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::ports::broadcaster::{Broadcaster, Unsent};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use futures::future::join_all;
use parking_lot::Mutex;

use crate::service::App;

/// Seconds for which the fee of a pair stays as it was shown.
const SHOWN: u64 = 60;

/// Seconds for which what was asked once is used while nothing can be computed.
const MAX_AGE: u64 = 3_600;

/// A request over HTTP waits no longer for a network.
const PATIENCE: Duration = Duration::from_secs(5);

/// A pair, and whether the recipient is known.
type PairAndRecipient = (Currency, Network, bool);

#[derive(Debug, Default)]
pub struct NetworkFees {
    /// What was asked last, and when.
    last: Mutex<BTreeMap<PairAndRecipient, (Amount, u64)>>,
    /// Requests at the same time ask a network once: a node refuses more calls at once than it queues.
    turns: Mutex<BTreeMap<PairAndRecipient, Arc<tokio::sync::Mutex<()>>>>,
}

impl NetworkFees {
    fn keep(&self, key: PairAndRecipient, asked: Amount, now: u64) {
        self.last.lock().insert(key, (asked, now));
    }

    fn last(&self, key: PairAndRecipient, age: u64, now: u64) -> Option<Amount> {
        let (asked, at) = *self.last.lock().get(&key)?;
        (at..=at.saturating_add(age)).contains(&now).then_some(asked)
    }

    fn turn(&self, key: PairAndRecipient) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(self.turns.lock().entry(key).or_default())
    }
}

fn key(payout: &Payout) -> PairAndRecipient {
    (payout.pair.currency, payout.pair.network, !payout.to.is_empty())
}

/// What the network asks for a payout now, in the currency of the payout; nothing if it has no fees, or none that can be read. An
/// error if the network or the rate of its coin cannot be asked, and was not within the last hour.
pub(crate) async fn asked(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
) -> Result<Amount, Unsent> {
    let (pair, now) = (payout.pair, app.clock.now());
    let known = || app.state.network_fees.last(key(payout), MAX_AGE, now);
    let asked = match broadcaster.fee(payout).await {
        Ok(None) => Amount::ZERO,
        Ok(Some(coins)) => match in_currency(app, coins, pair) {
            Some(asked) => asked,
            None => {
                return known().ok_or_else(|| {
                    let coin = Asset::of_fees(pair.network).code();
                    Unsent::later(format!("there is no rate of {coin} in {}", pair.currency))
                });
            }
        },
        Err(Unsent::Unavailable(error)) => return known().ok_or(Unsent::Unavailable(error)),
        Err(refused) => return Err(refused),
    };
    app.state.network_fees.keep(key(payout), asked, now);
    Ok(asked)
}

/// The fee of whatever leaves with a pair, to an account that holds nothing of it yet. For a minute it stays as it was shown. `None` if
/// it is not known.
pub(crate) async fn of(app: &App, pair: &'static Pair) -> Option<Amount> {
    let Some(broadcaster) = app.broadcasters.get(&pair.network) else { return Some(fee(pair, Amount::ZERO)) };
    let (payout, now) = (Payout::unaddressed(pair), app.clock.now());
    let last = |age| app.state.network_fees.last(key(&payout), age, now);
    if let Some(shown) = last(SHOWN) {
        return Some(fee(pair, shown));
    }
    let turn = app.state.network_fees.turn(key(&payout));
    let asked = async {
        let _turn = turn.lock().await;
        match last(SHOWN) {
            Some(shown) => Ok(shown),
            None => asked(app, broadcaster.as_ref(), &payout).await,
        }
    };
    let asked = match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(asked)) => Some(asked),
        Ok(Err(error)) => {
            tracing::warn!(currency = %pair.currency, network = %pair.network, ?error, "the fee is not known");
            None
        }
        Err(_) => last(MAX_AGE),
    };
    asked.map(|asked| fee(pair, asked))
}

/// Those that are known.
pub async fn of_all(app: &App, pairs: impl IntoIterator<Item = &'static Pair>) -> Fees {
    let all = pairs.into_iter().map(async |pair| Some(((pair.currency, pair.network), of(app, pair).await?)));
    join_all(all).await.into_iter().flatten().collect()
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
