//! Timing on a busy machine: all candidates take turns in many short rounds, and the median counts.

use std::hint::black_box;
use std::time::Instant;

/// A candidate, measured text by text.
pub(crate) struct Runner {
    pub(crate) name: &'static str,
    pub(crate) work: Work,
}

/// Returns the number of valid texts.
type Work = Box<dyn Fn(&[String]) -> usize>;

impl Runner {
    /// The loop is inside, so that the indirect call is not measured.
    pub(crate) fn new<T>(name: &'static str, ask: impl Fn(&str) -> Option<T> + 'static) -> Self {
        let right = move |text: &&String| black_box(ask(black_box(text.as_str()))).is_some();
        Self { name, work: Box::new(move |texts| texts.iter().filter(&right).count()) }
    }
}

/// A time and its spread.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) rounds: usize,
    /// Texts per round: enough to make the clock's cost negligible, few enough that most rounds are
    /// undisturbed.
    pub(crate) texts: usize,
}

/// The times of all candidates, in nanoseconds per text, by round.
pub(crate) struct Times(Vec<Vec<f64>>);

impl Times {
    pub(crate) fn take(runners: &[Runner], texts: &[String], effort: Effort) -> Self {
        let mut times = vec![Vec::with_capacity(effort.rounds); runners.len()];
        let mut chunks = texts.chunks_exact(effort.texts).cycle();
        for round in 0..effort.rounds {
            let chunk = chunks.next().expect("there are more texts than a round takes");
            // The first candidate finds the texts outside the caches.
            for turn in 0..runners.len() {
                let at = (round + turn) % runners.len();
                let start = Instant::now();
                let right = (runners[at].work)(chunk);
                let elapsed = start.elapsed();
                assert_eq!(right, chunk.len(), "{} refuses a valid address", runners[at].name);
                times[at].push(nanoseconds(elapsed) / count(chunk.len()));
            }
        }
        Self(times)
    }

    pub(crate) fn median(&self, runner: usize) -> f64 {
        median(self.0[runner].clone())
    }

    /// The ratio of two candidates' times, compared round by round, because a disturbance usually lasts
    /// longer than a round.
    pub(crate) fn ratio(&self, runner: usize, other: usize) -> f64 {
        median(self.0[runner].iter().zip(&self.0[other]).map(|(ours, theirs)| ours / theirs).collect())
    }
}

pub(crate) fn nanoseconds(elapsed: std::time::Duration) -> f64 {
    elapsed.as_secs_f64() * 1e9
}

/// The median of the times of one call, in nanoseconds.
pub(crate) fn alone<T>(times: usize, call: impl Fn() -> T) -> f64 {
    let one = |_| {
        let start = Instant::now();
        black_box(call());
        nanoseconds(start.elapsed())
    };
    median((0..times).map(one).collect())
}

fn count(texts: usize) -> f64 {
    f64::from(u32::try_from(texts).expect("a few thousand at most"))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::{Effort, Runner, Times, median};

    #[test]
    fn the_median_is_the_middle_one() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(vec![9.0]) - 9.0).abs() < 1e-9);
    }

    #[test]
    fn a_ratio_is_of_the_same_round() {
        let times = Times(vec![vec![1.0, 10.0, 100.0], vec![2.0, 20.0, 200.0]]);
        assert!((times.ratio(1, 0) - 2.0).abs() < 1e-9 && (times.median(0) - 10.0).abs() < 1e-9);
    }

    #[test]
    #[should_panic(expected = "refuses a valid address")]
    fn a_candidate_that_refuses_is_not_measured() {
        let runners = [Runner::new("nobody", |_| None::<()>)];
        Times::take(&runners, &["text".to_owned()], Effort { rounds: 1, texts: 1 });
    }
}
