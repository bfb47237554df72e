//! Whose turn it is, where many are asked about one after the other and asking may fail.

use std::sync::{Mutex, PoisonError};

use uuid::Uuid;

/// Whom the next round begins behind: one of whom nothing can be learnt must not keep the others from being asked about.
#[derive(Debug, Default)]
pub struct RoundRobin(Mutex<Option<Uuid>>);

impl RoundRobin {
    /// All of them, which are sorted by id: first those behind the one at which the last round ended.
    pub fn order<T>(&self, mut all: Vec<T>, id: impl Fn(&T) -> Uuid) -> Vec<T> {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last {
            let behind = all.partition_point(|one| id(one) <= last);
            all.rotate_left(behind);
        }
        all
    }

    /// This round ends here: there was no answer.
    pub fn ends_at(&self, id: Uuid) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_round() {
        let round_robin = RoundRobin::default();
        let id = Uuid::from_u128;
        let check = |all: &[u128], expected: &[u128]| {
            assert_eq!(round_robin.order(all.to_vec(), |one| id(*one)), expected, "{all:?}");
        };
        check(&[1, 2, 3], &[1, 2, 3]);
        for (last, expected) in
            [(1, [2, 3, 1]), (3, [1, 2, 3]), (2, [3, 1, 2]), (9, [1, 2, 3]), (0, [1, 2, 3])]
        {
            round_robin.ends_at(id(last));
            check(&[1, 2, 3], &expected);
            check(&[], &[]);
        }
    }
}
