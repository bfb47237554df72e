//! Ids that always increase: lists are in order of creation, even within one millisecond and after the clock
//! was set back.

use checkout_domain::ports::{Store, Stored};
use parking_lot::Mutex;
use uuid::{ContextV7, Timestamp, Uuid};

/// Generates ids that sort by the gateway's time (UUID version 7).
#[derive(Debug, Default)]
pub struct Ids(Mutex<ContextV7>);

impl Ids {
    /// Returns an id higher than all previous ones, whatever the clock is.
    pub fn next(&self, millis: u64) -> Uuid {
        let context = self.0.lock();
        let nanos = u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000;
        Uuid::new_v7(Timestamp::from_unix(&*context, millis / 1000, nanos))
    }

    /// Makes all later ids higher than those in the store.
    pub async fn rise_above_stored(&self, store: &dyn Store) -> Stored<()> {
        if let Some(newest) = store.newest_id().await? {
            let millis = newest.as_u128() >> 80;
            self.next(u64::try_from(millis).unwrap_or(0) + 1);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_only_rise() {
        let ids = Ids::default();
        let mut last = Uuid::nil();
        for millis in [5_000; 2_000].into_iter().chain([5_001, 4_000, 0, 5_001, 5_002, 5_001]) {
            let id = ids.next(millis);
            assert!(id > last, "{id} after {last}");
            assert_eq!(id.get_version_num(), 7);
            last = id;
        }
    }
}
