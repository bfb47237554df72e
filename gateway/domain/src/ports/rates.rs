//! Exchange rates.

use std::time::Duration;

use async_trait::async_trait;
use checkout_core::Decimal;
use tokio::sync::watch;

use crate::rates::asset::Asset;

/// No rate is fresh enough for a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRate;

/// The health of a rate feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedHealth {
    /// Failed fetches.
    pub failures: u64,
    /// Rates of the last answer that are out of bounds.
    pub refused: usize,
    /// Rates that were accepted after they had been out of bounds for long.
    pub new_levels: u64,
    /// Time since the last valid answer.
    pub age: Option<Duration>,
}

/// Exchange rates. A feed caches them; reading never waits.
#[async_trait]
pub trait Rates: Send + Sync {
    /// `to` per whole `from`, rounded by `domain::rates::precision`.
    fn rate(&self, from: Asset, to: Asset) -> Result<Decimal, NoRate>;

    /// `None` if there is no feed.
    fn feed(&self) -> Option<FeedHealth> {
        None
    }

    /// Fetches repeatedly until stopped.
    async fn keep_fresh(&self, _stopped: watch::Receiver<bool>) {}
}
