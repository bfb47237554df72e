//! A map that keeps what was asked for lately and forgets the rest.

use std::collections::BTreeMap;

/// Payments that are kept, at most twice as many; one of usual length has about a kilobyte.
pub(super) const RECORDS: usize = 8_192;

/// Tokens that are kept, at most twice as many.
pub(super) const TOKENS: usize = 16_384;

/// Businesses that are kept, at most twice as many.
pub(super) const BUSINESSES: usize = 1_024;

/// Payments of more deposits are not kept.
pub(super) const DEPOSITS: usize = 64;

/// Two halves: what was touched since the newer one was begun is in it. When it is full, the older one goes.
#[derive(Debug)]
pub(super) struct Shelf<K, V> {
    half: usize,
    newer: BTreeMap<K, V>,
    older: BTreeMap<K, V>,
}

impl<K: Ord + Clone, V: Clone> Shelf<K, V> {
    /// Of at most `2 * half` entries.
    pub(super) fn new(half: usize) -> Self {
        Self { half, newer: BTreeMap::new(), older: BTreeMap::new() }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        if let Some(value) = self.newer.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.older.remove_entry(key)?;
        self.put(key, value.clone());
        Some(value)
    }

    pub(super) fn put(&mut self, key: K, value: V) {
        self.older.remove(&key);
        if self.newer.len() >= self.half && !self.newer.contains_key(&key) {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, value);
    }

    pub(super) fn remove(&mut self, key: &K) {
        self.newer.remove(key);
        self.older.remove(key);
    }

    pub(super) fn clear(&mut self) {
        self.newer.clear();
        self.older.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_is_asked_for() {
        let mut shelf = Shelf::new(100);
        for number in 0..10_000 {
            shelf.put(number, number * 2);
            assert_eq!(shelf.get(&0), Some(0), "after {number}");
            assert!(shelf.newer.len() + shelf.older.len() <= 200);
        }
        assert_eq!((shelf.get(&9_999), shelf.get(&50)), (Some(19_998), None));
        shelf.put(0, 7);
        assert_eq!(shelf.get(&0), Some(7));
        shelf.remove(&0);
        assert_eq!(shelf.get(&0), None);
        shelf.clear();
        assert_eq!(shelf.get(&9_999), None);
    }
}
