//! The digests of payments as they are shown, of those that the store keeps in memory: a poll that finds one again shows
//! nothing, and makes nothing to be shown.
//!
//! A record never changes, and what is shown follows from it and from the status of the moment. So a digest holds for the
//! very record that it was made of (the same place in memory, kept from being given away by a weak pointer) and that status.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use checkout_core::wire::PaymentStatus;
use uuid::Uuid;

use crate::domain::payment::Record;

/// SHA-256, the first 18 bytes.
pub type Digest = [u8; 18];

/// Digests that are kept at most.
const MOST: usize = 20_000;

#[derive(Debug)]
pub struct Versions<T = Record>(Mutex<BTreeMap<Uuid, Version<T>>>);

#[derive(Debug)]
struct Version<T> {
    of: Weak<T>,
    status: PaymentStatus,
    digest: Digest,
}

impl<T> Default for Versions<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Versions<T> {
    /// The digest of what this record of a payment shows in this status, where it is known.
    pub fn find(&self, payment: Uuid, record: &Arc<T>, status: &PaymentStatus) -> Option<Digest> {
        let versions = self.versions();
        let version = versions.get(&payment)?;
        let is_same = Weak::as_ptr(&version.of) == Arc::as_ptr(record) && version.status == *status;
        is_same.then_some(version.digest)
    }

    /// Keeps a digest, where somebody else keeps the record.
    pub fn keep(&self, payment: Uuid, record: &Arc<T>, status: PaymentStatus, digest: Digest) {
        if Arc::strong_count(record) < 2 {
            return;
        }
        let mut versions = self.versions();
        if versions.len() >= MOST {
            versions.retain(|_, version| version.of.strong_count() > 0);
            if versions.len() >= MOST {
                versions.clear();
            }
        }
        versions.insert(payment, Version { of: Arc::downgrade(record), status, digest });
    }

    fn versions(&self) -> MutexGuard<'_, BTreeMap<Uuid, Version<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_one_record_in_one_status() {
        let versions = Versions::default();
        let (payment, record) = (Uuid::nil(), Arc::new("record"));
        let kept = Arc::clone(&record);
        versions.keep(payment, &record, PaymentStatus::Pending, [1; 18]);
        assert_eq!(versions.find(payment, &kept, &PaymentStatus::Pending), Some([1; 18]));
        assert_eq!(versions.find(payment, &kept, &PaymentStatus::Expired), None);
        assert_eq!(versions.find(Uuid::max(), &kept, &PaymentStatus::Pending), None);
        let equal = Arc::new("record");
        assert_eq!(versions.find(payment, &equal, &PaymentStatus::Pending), None, "read again");
        versions.keep(payment, &equal, PaymentStatus::Pending, [2; 18]);
        assert_eq!(
            versions.find(payment, &kept, &PaymentStatus::Pending),
            Some([1; 18]),
            "nobody else keeps it"
        );
    }

    #[test]
    fn memory_has_an_end() {
        let versions = Versions::default();
        let mut kept = Vec::new();
        for number in 0..MOST + 10 {
            let record = Arc::new(number);
            versions.keep(Uuid::from_u128(number as u128), &Arc::clone(&record), PaymentStatus::New, [0; 18]);
            if number % 2 == 0 {
                kept.push(record);
            }
        }
        let count = versions.versions().len();
        assert!(count <= MOST && count >= kept.len(), "{count}");
    }
}
