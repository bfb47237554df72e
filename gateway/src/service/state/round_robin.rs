//! A fair order for requests about many subjects, of which each may fail.

use parking_lot::Mutex;
use uuid::Uuid;

/// The last subject of the previous round: one without an answer must not delay the others.
#[derive(Debug, Default)]
pub struct RoundRobin(Mutex<Option<Uuid>>);

impl RoundRobin {
    /// All subjects, sorted by id, starting after the one at which the last round ended.
    pub fn order<T>(&self, mut all: Vec<T>, id: impl Fn(&T) -> Uuid) -> Vec<T> {
        let last = *self.0.lock();
        if let Some(last) = last {
            let behind = all.partition_point(|one| id(one) <= last);
            all.rotate_left(behind);
        }
        all
    }

    /// Ends this round after a missing answer.
    pub fn ends_at(&self, id: Uuid) {
        *self.0.lock() = Some(id);
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
