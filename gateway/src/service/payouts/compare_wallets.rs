//! Compares what the wallets hold with the books, each hour. Nothing is said of one reading: what moves while it is read is in the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use checkout_core::{Amount, Currency, Network, Pair, pair};
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::ledger::fee::fee;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::wallet::{Reading, WalletRecord, missing};
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::Holding;
use checkout_domain::rates::asset::Asset;
use parking_lot::Mutex;
use tokio::time::timeout;

use super::pay_out::TIME_LIMIT;
use crate::service::App;

/// Seconds between two readings.
const HOUR: u64 = 3_600;

/// What this process read of each currency.
#[derive(Debug, Default)]
pub struct Wallets(Mutex<Readings>);

#[derive(Debug, Default)]
struct Readings {
    last_at: Option<u64>,
    beyond: BTreeMap<Currency, (Option<Reading>, Reading)>,
    said: BTreeMap<Currency, Money>,
}

impl Wallets {
    /// Whether it is time, which counts as done then.
    fn is_due(&self, now: u64) -> bool {
        let last = &mut self.0.lock().last_at;
        let is_due = last.is_none_or(|at| now < at || now >= at.saturating_add(HOUR));
        if is_due {
            *last = Some(now);
        }
        is_due
    }

    /// What was read of a currency earlier stays while its networks do not tell.
    fn read(&self, all: BTreeMap<Currency, Reading>) {
        let known = &mut self.0.lock().beyond;
        for (currency, now) in all {
            let before = known.get(&currency).map(|(_, last)| *last);
            known.insert(currency, (before, now));
        }
    }

    /// Those that were read twice.
    fn twice(&self) -> Vec<(Currency, [Reading; 2])> {
        let known = self.0.lock();
        let pairs = known.beyond.iter();
        pairs.filter_map(|(currency, (before, now))| Some((*currency, [(*before)?, *now]))).collect()
    }

    /// Returns what was not said before, and what was and holds no more.
    fn say(&self, now: &BTreeMap<Currency, Money>) -> (Vec<(Currency, Money)>, Vec<Currency>) {
        let mut known = self.0.lock();
        let new = now.iter().filter(|(currency, money)| known.said.get(currency) != Some(*money));
        let new = new.map(|(currency, money)| (*currency, *money)).collect();
        let over = known.said.keys().filter(|currency| !now.contains_key(currency)).copied().collect();
        known.said.clone_from(now);
        (new, over)
    }
}

pub async fn run(app: &App) -> Stored<()> {
    if !app.state.wallets.is_due(app.clock.now()) {
        return Ok(());
    }
    let (books_before, left_before) = (app.store.wallet_books().await?, may_have_left(app).await?);
    let held = held(app).await;
    let (books, left) = (app.store.wallet_books().await?, may_have_left(app).await?);
    let at = app.clock.now();
    let beyond = held.into_iter().map(|(currency, held)| {
        let of = |all: &[Money]| sum(all.iter().filter(|money| money.asset == held.asset), held.asset);
        // What moves meanwhile is in one of them.
        let books = lower(of(&books_before), of(&books));
        let left = higher(of(&left_before), of(&left));
        (currency, Reading { at, beyond: held.less(books).plus(left) })
    });
    app.state.wallets.read(beyond.collect());
    let (new, over) = app.state.wallets.say(&lacking(app).await?.into_iter().collect());
    for (currency, lacks) in new {
        tracing::error!(%currency, %lacks, "the wallets hold less than the books say: see `checkout wallets`");
    }
    for currency in over {
        tracing::info!(%currency, "the wallets hold what the books say again");
    }
    Ok(())
}

/// What is missing of each currency; nothing of one that was not read twice.
pub async fn lacking(app: &App) -> Stored<Vec<(Currency, Money)>> {
    let twice = app.state.wallets.twice();
    if twice.is_empty() {
        return Ok(Vec::new());
    }
    let records = app.store.wallet_records().await?;
    let lacks = |(currency, readings): (Currency, [Reading; 2])| {
        let of_it: Vec<&WalletRecord> =
            records.iter().filter(|record| record.money.asset == Asset::Crypto(currency)).collect();
        Some((currency, missing(&of_it, readings, least(currency))?))
    };
    Ok(twice.into_iter().filter_map(lacks).collect())
}

/// The currencies that are compared, with the time of the reading before the last one.
pub fn compared(app: &App) -> BTreeMap<Currency, u64> {
    app.state.wallets.twice().into_iter().map(|(currency, [before, _])| (currency, before.at)).collect()
}

fn sum<'a>(all: impl Iterator<Item = &'a Money>, asset: Asset) -> Money {
    all.fold(Money::zero(asset), |sum, money| sum.plus(*money))
}

fn lower(one: Money, other: Money) -> Money {
    if other.units < one.units { other } else { one }
}

fn higher(one: Money, other: Money) -> Money {
    if other.units > one.units { other } else { one }
}

/// The fixed fee of the pair with the highest one.
fn least(currency: Currency) -> Money {
    let pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.currency == currency);
    let fees = pairs.filter_map(|pair| Money::of_amount(fee(pair, Amount::ZERO), pair));
    fees.max_by_key(|fee| fee.units).unwrap_or(Money::zero(Asset::Crypto(currency)))
}

/// What all networks of a currency hold of it, if each of them tells.
async fn held(app: &App) -> BTreeMap<Currency, Money> {
    let mut sums: BTreeMap<Currency, Option<Money>> = BTreeMap::new();
    for network in app.chains.keys().chain(app.broadcasters.keys()).collect::<BTreeSet<_>>() {
        let told = told(app, *network).await;
        for pair in pair::EVERY_PAIR.iter().filter(|pair| pair.network == *network) {
            let asset = Asset::Crypto(pair.currency);
            let held = told.iter().find(|holding| is_of(holding, pair));
            let held = held.and_then(|holding| Money::of_amount(holding.amount, pair));
            let sum = sums.entry(pair.currency).or_insert(Some(Money::zero(asset)));
            *sum = sum.zip(held).map(|(sum, held)| sum.plus(held));
        }
    }
    sums.into_iter().filter_map(|(currency, sum)| Some((currency, sum?))).collect()
}

fn is_of(holding: &Holding, pair: &Pair) -> bool {
    (holding.pair.currency, holding.pair.network) == (pair.currency, pair.network)
}

/// Nothing of a network that pays nothing, does not answer, or cannot tell.
async fn told(app: &App, network: Network) -> Vec<Holding> {
    let Some(broadcaster) = app.broadcasters.get(&network) else { return Vec::new() };
    let deposits = app.addresses.address(network, 0);
    match timeout(TIME_LIMIT, broadcaster.holdings(deposits.as_deref())).await {
        Ok(Ok(holdings)) => holdings,
        Ok(Err(error)) => {
            tracing::warn!(%network, ?error, "it is not known what the wallets hold");
            Vec::new()
        }
        Err(_) => {
            let limit: Duration = TIME_LIMIT;
            tracing::warn!(%network, ?limit, "it is not known what the wallets hold: no answer");
            Vec::new()
        }
    }
}

/// What is signed or held can have left: the books have it once that is known.
async fn may_have_left(app: &App) -> Stored<Vec<Money>> {
    let mut payouts = app.store.pending_payouts().await?;
    payouts.retain(|payout| matches!(payout.state, PayoutState::Signed(_)));
    payouts.extend(app.store.held_payouts().await?);
    Ok(payouts.iter().filter_map(|payout| Money::of_amount(payout.amount, payout.pair)).collect())
}
