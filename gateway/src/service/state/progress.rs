//! Finds networks that are not read on although their chain grows, whatever the reason.

use std::collections::BTreeMap;

use checkout_core::Network;
use checkout_domain::ports::Stored;
use parking_lot::Mutex;

use crate::service::App;

/// Least seconds without progress that count: some chains have several blocks a second.
const LEAST: u64 = 30;

/// The last block that each network is read up to, and since when.
#[derive(Debug, Default)]
pub struct Progress(Mutex<BTreeMap<Network, (u64, u64)>>);

impl Progress {
    /// For how many seconds the network is read up to this block.
    fn unchanged(&self, network: Network, height: u64, now: u64) -> u64 {
        let mut all = self.0.lock();
        let (known, since) = all.entry(network).or_insert((height, now));
        if *known != height {
            (*known, *since) = (height, now);
        }
        now.saturating_sub(*since)
    }

    fn forget(&self, network: Network) {
        self.0.lock().remove(&network);
    }
}

/// The next block of a network, where its cursor tells it.
pub async fn next_block(app: &App, network: Network) -> Stored<Option<u64>> {
    let Some(chain) = app.chains.get(&network) else { return Ok(None) };
    let cursor = app.store.cursor(network).await?;
    Ok(cursor.and_then(|cursor| chain.read_up_to(&cursor)).map(|height| height + 1))
}

/// Called after each read. A sentence, if the chain has grown for three blocks' time and was not read on.
pub async fn stuck(app: &App, network: Network, now: u64) -> Stored<Option<String>> {
    let Some(next) = next_block(app, network).await? else { return Ok(None) };
    let seconds = app.state.progress.unchanged(network, next, now);
    if seconds < (3 * u64::from(network.spec().block_seconds)).max(LEAST) {
        return Ok(None);
    }
    let Some(chain) = app.chains.get(&network) else { return Ok(None) };
    // A source that does not answer is a fault of its own.
    let Ok(tip) = chain.tip().await else { return Ok(None) };
    if tip.height < next {
        app.state.progress.forget(network);
        return Ok(None);
    }
    Ok(Some(format!("block {next} has not been read for {seconds} s, and the newest is {}", tip.height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_count_from_the_last_new_block() {
        let progress = Progress::default();
        let check = |height, now, expected| {
            assert_eq!(progress.unchanged(Network::Eth, height, now), expected, "{height} {now}");
        };
        check(7, 100, 0);
        check(7, 160, 60);
        check(8, 161, 0);
        check(6, 170, 0);
        check(6, 175, 5);
        progress.forget(Network::Eth);
        check(6, 180, 0);
    }
}
