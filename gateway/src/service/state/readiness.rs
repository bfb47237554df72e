//! Readiness: the store can be written, and no background work has failed.

use std::time::{Duration, Instant};

use checkout_core::Network;
use checkout_domain::chain::set_aside::SetAsideRecord;
use checkout_domain::ports::Stored;
use parking_lot::Mutex;

use crate::service::App;
use crate::service::payouts::compare_wallets;

/// The setting that is written for the check.
const PROBE: &str = "readiness_probe";

/// Entries among which the oldest of each network is looked for.
const SHOWN: u32 = 100;

/// Minimum interval between checks of the store.
const FRESH: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub enum NotReady {
    /// It cannot be written: it is unavailable, or its disk is full.
    Store,
    /// Work that panicked and has not succeeded since.
    Background(Vec<String>),
    /// No network is available for payments: the reason for each.
    Networks(Vec<(Network, String)>),
}

/// The outcome of the last check of the store.
#[derive(Debug, Default)]
pub struct LastLook(Mutex<Option<(Instant, bool)>>);

impl LastLook {
    fn fresh(&self) -> Option<bool> {
        let last = *self.0.lock();
        last.filter(|(at, _)| at.elapsed() < FRESH).map(|(_, sound)| sound)
    }

    fn keep(&self, sound: bool) {
        *self.0.lock() = Some((Instant::now(), sound));
    }
}

pub async fn check(app: &App) -> Result<(), NotReady> {
    let sound = if let Some(sound) = app.state.last_look.fresh() {
        sound
    } else {
        let written = write(app).await;
        if let Err(error) = &written {
            tracing::error!(%error, "the store cannot be written");
        }
        app.state.last_look.keep(written.is_ok());
        written.is_ok()
    };
    if !sound {
        return Err(NotReady::Store);
    }
    let ill = app.state.health.ill();
    if !ill.is_empty() {
        return Err(NotReady::Background(ill));
    }
    if app.chains.keys().any(|network| app.takes(*network)) {
        return Ok(());
    }
    Err(NotReady::Networks(unavailable(app)))
}

/// The networks that are not available for payments, with reasons.
pub fn unavailable(app: &App) -> Vec<(Network, String)> {
    app.chains.keys().filter_map(|network| Some((*network, app.state.networks.fault(*network)?))).collect()
}

/// A sentence for each network with entries that could not be read.
pub async fn unread(app: &App) -> Stored<Vec<String>> {
    let counts = app.store.count_set_aside().await?;
    if counts.is_empty() {
        return Ok(Vec::new());
    }
    let oldest = app.store.set_aside(SHOWN).await?;
    let sentence = |(network, count): &(Network, u64)| {
        let first = oldest.iter().find(|record| record.entry.network == *network);
        let first = first.map(|SetAsideRecord { entry, .. }| {
            format!("; the oldest is {} in block {}: {}", entry.transaction, entry.height, entry.why)
        });
        let entries = if *count == 1 { "1 entry" } else { &format!("{count} entries") };
        let list = "`checkout chains pending` shows them";
        format!("{network}: {entries} set aside{}. {list}.", first.unwrap_or_default())
    };
    Ok(counts.iter().map(sentence).collect())
}

/// A sentence for each currency of which the wallets hold too little. Payments can be taken all the same.
pub async fn lacking(app: &App) -> Stored<Vec<String>> {
    let lacks = compare_wallets::lacking(app).await?.into_iter();
    let sentence = |(currency, money)| {
        format!(
            "{currency}: the wallets hold {money} {currency} less than the books say. `checkout wallets` records what you moved."
        )
    };
    Ok(lacks.map(sentence).collect())
}

/// A write of no consequence that is synced to disk.
async fn write(app: &App) -> Stored<()> {
    let mut tx = app.store.begin().await?;
    tx.put_setting(PROBE, &app.clock.now().to_string()).await?;
    tx.commit().await
}
