//! The sequence numbers of an account, as the store would have them.

use std::collections::BTreeSet;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::Sequences;
use parking_lot::{Mutex, MutexGuard};

/// The numbers of stored transactions. A test adds that of each transaction that it signs.
#[derive(Debug, Default)]
pub struct Numbers(Mutex<BTreeSet<u64>>);

impl Numbers {
    pub fn stored(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.0.lock()
    }
}

#[async_trait]
impl Sequences for Numbers {
    async fn next_sequence(&self, _: Network, _: &str) -> Stored<Option<u64>> {
        Ok(self.stored().last().map(|last| last + 1))
    }

    async fn free_sequence(&self, _: Network, _: &str, first: u64) -> Stored<u64> {
        let stored = self.stored();
        Ok((first..=u64::MAX).find(|number| !stored.contains(number)).unwrap_or(u64::MAX))
    }
}
