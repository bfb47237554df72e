//! How many calls a provider takes in one request. Providers refuse more than 3, 10 or 100, in many ways.

use parking_lot::Mutex;

/// Calls per request, unless the configuration or a refusal says otherwise.
pub const MAX_BATCH: usize = 20;

/// Full batches in a row after which a refused size is tried again. It doubles when that fails.
const AGAIN: u32 = 64;

#[derive(Debug)]
pub(super) struct BatchSize(Mutex<State>);

#[derive(Debug)]
struct State {
    most: usize,
    size: usize,
    /// Full batches since the last change.
    good: u32,
    again: u32,
    /// This size was not answered yet.
    is_trial: bool,
}

impl BatchSize {
    pub(super) fn new(most: usize) -> Self {
        let most = most.max(1);
        Self(Mutex::new(State { most, size: most, good: 0, again: AGAIN, is_trial: true }))
    }

    pub(super) fn current(&self) -> usize {
        self.0.lock().size
    }

    /// A batch of this size was refused. Half of it is asked for next.
    pub(super) fn refused(&self, size: usize) {
        let mut state = self.0.lock();
        state.size = state.size.min(size / 2).max(1);
        if std::mem::take(&mut state.is_trial) {
            state.again = state.again.saturating_mul(2);
        }
        state.good = 0;
    }

    pub(super) fn answered(&self, size: usize) {
        let mut state = self.0.lock();
        if size < state.size || state.size == state.most {
            return;
        }
        state.is_trial = false;
        state.good += 1;
        if state.good >= state.again {
            (state.size, state.good, state.is_trial) = ((state.size * 2).min(state.most), 0, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_halves_when_refused_and_is_tried_again_later() {
        let size = BatchSize::new(20);
        size.answered(20);
        for (refused, expected) in [(20, 10), (10, 5), (20, 5), (5, 2), (2, 1), (1, 1)] {
            size.refused(refused);
            assert_eq!(size.current(), expected, "after {refused}");
        }
        let size = BatchSize::new(20);
        size.refused(20);
        for _ in 0..127 {
            size.answered(10);
        }
        size.answered(9);
        assert_eq!(size.current(), 10, "a smaller batch says nothing");
        size.answered(10);
        assert_eq!(size.current(), 20);
        assert_eq!(BatchSize::new(0).current(), 1);
    }
}
