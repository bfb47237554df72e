//! Which networks are asked now, by their [`Pace`].

use std::collections::BTreeMap;

use checkout_core::Network;
use checkout_domain::chain::polling::{AWAITED_FOR, Pace};
use checkout_domain::ports::Stored;
use parking_lot::Mutex;

use crate::service::App;

/// When this process asked last, and how often in vain since.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    at: u64,
    failures: u32,
}

#[derive(Debug, Default)]
pub struct Polls {
    read: Mutex<BTreeMap<Network, Asked>>,
    looked: Mutex<BTreeMap<Network, u64>>,
    tips: Mutex<BTreeMap<Network, u64>>,
    /// The cursors at which confirmations were counted last.
    counted: Mutex<BTreeMap<Network, String>>,
}

impl Polls {
    /// Records whether reading a network succeeded.
    pub fn read(&self, network: Network, now: u64, is_done: bool) {
        let mut all = self.read.lock();
        let failures = if is_done { 0 } else { all.get(&network).map_or(1, |asked| asked.failures + 1) };
        all.insert(network, Asked { at: now, failures });
    }

    /// Whether the source is to be checked: one with a fault as often as it is read.
    pub fn is_look_due(&self, network: Network, now: u64, pace: Option<Pace>, has_fault: bool) -> bool {
        let wait = pace.map_or(0, |pace| if has_fault { pace.awaited.max(5) } else { pace.health });
        is_due(&self.looked, network, wait, now)
    }

    /// Whether the height of a network whose cursor does not tell it is to be asked: not more often than it has blocks.
    pub fn is_tip_due(&self, network: Network, now: u64, pace: Option<Pace>) -> bool {
        let wait = pace.map_or(0, |pace| pace.awaited.max(network.spec().block_seconds.into()));
        is_due(&self.tips, network, wait, now)
    }

    /// Whether the confirmations of deposits were counted at this cursor.
    pub fn is_counted(&self, network: Network, cursor: &str) -> bool {
        self.counted.lock().get(&network).is_some_and(|counted| counted == cursor)
    }

    pub fn counted(&self, network: Network, cursor: String) {
        self.counted.lock().insert(network, cursor);
    }
}

/// Whether a network is to be read now.
pub async fn is_read_due(app: &App, network: Network) -> Stored<bool> {
    let Some(pace) = app.policy.polling.pace(network) else { return Ok(true) };
    let now = app.clock.now();
    let Some(asked) = app.state.polls.read.lock().get(&network).copied() else { return Ok(true) };
    if asked.failures > 0 {
        return Ok(is_past(asked.at, pace.after(asked.failures - 1), now));
    }
    if is_past(asked.at, pace.idle, now) {
        return Ok(true);
    }
    Ok(is_past(asked.at, pace.awaited, now) && awaits(app, network, now).await?)
}

/// Whether somebody waits for news of a network.
async fn awaits(app: &App, network: Network, now: u64) -> Stored<bool> {
    let shown = app.store.last_quoted(network).await?;
    if shown.is_some_and(|at| at.saturating_add(AWAITED_FOR) > now) {
        return Ok(true);
    }
    let (Some(chain), Some(cursor)) = (app.chains.get(&network), app.store.cursor(network).await?) else {
        return Ok(false);
    };
    if !app.store.included(network).await?.is_empty() {
        return Ok(true);
    }
    // An unreadable cursor is reported by the next read.
    Ok(chain.waiting(&cursor).await.is_ok_and(|waiting| !waiting.is_empty()))
}

/// If it is due, it counts as asked now.
fn is_due(asked: &Mutex<BTreeMap<Network, u64>>, network: Network, wait: u64, now: u64) -> bool {
    let mut all = asked.lock();
    let is_due = all.get(&network).is_none_or(|at| is_past(*at, wait, now));
    if is_due {
        all.insert(network, now);
    }
    is_due
}

/// A clock that was set back delays nothing.
fn is_past(at: u64, wait: u64, now: u64) -> bool {
    now < at || now >= at.saturating_add(wait)
}
