//! Reduces a failure to as few steps as possible.

use std::time::{Duration, Instant};

use super::play;
use super::steps::{Scene, Step};

/// Time limit for shrinking.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Returns a report for debugging.
pub(super) async fn report(seed: u64, scene: &Scene, steps: Vec<Step>, failure: String) -> String {
    let all = steps.len();
    let (steps, failure) = shrink(scene, steps, failure).await;
    let list: Vec<String> =
        steps.iter().enumerate().map(|(number, step)| format!("  {number}. {step:?}")).collect();
    let list = list.join("\n");
    format!(
        "seed {seed} differs from the model: {failure}\n\n{scene:#?}\n\n{} of its {all} steps are enough:\n{list}\n\n\
         Play it again: cargo xtask soak --first-seed {seed} --seeds 1",
        steps.len()
    )
}

/// Removes runs of steps, long ones first, while the scene still fails.
async fn shrink(scene: &Scene, mut steps: Vec<Step>, mut failure: String) -> (Vec<Step>, String) {
    let started = Instant::now();
    let mut length = steps.len().div_ceil(2);
    loop {
        let mut start = 0;
        let mut shorter = false;
        while start < steps.len() && started.elapsed() < TIMEOUT {
            let mut fewer = steps.clone();
            fewer.drain(start..(start + length).min(fewer.len()));
            match play(scene.clone(), fewer.clone()).await {
                Ok(_) => start += length,
                Err(again) => (steps, failure, shorter) = (fewer, again, true),
            }
        }
        if started.elapsed() >= TIMEOUT || (length == 1 && !shorter) {
            return (steps, failure);
        }
        length = if length == 1 { 1 } else { length.div_ceil(2) };
    }
}
