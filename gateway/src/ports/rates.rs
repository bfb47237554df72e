//! Exchange rates.

use std::time::Duration;

use async_trait::async_trait;
use checkout_core::Decimal;
use tokio::sync::watch;

use crate::domain::rates::asset::Asset;

/// No rate is fresh enough to quote by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRate;

/// How a feed of rates does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedHealth {
    /// Fetches that brought nothing.
    pub failures: u64,
    /// Rates of the last answer that are out of bounds.
    pub refused: usize,
    /// Since the last good answer.
    pub age: Option<Duration>,
}

/// Exchange rates. A feed keeps what it fetched; asking never waits.
#[async_trait]
pub trait Rates: Send + Sync {
    /// `to` per whole `from`, rounded by `domain::rates::precision`.
    fn rate(&self, from: Asset, to: Asset) -> Result<Decimal, NoRate>;

    /// `None` when there is no feed.
    fn feed(&self) -> Option<FeedHealth> {
        None
    }

    /// Fetches, again and again, until told to stop.
    async fn keep_fresh(&self, _stopped: watch::Receiver<bool>) {}
}
