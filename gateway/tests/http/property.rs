//! Compares the whole gateway with a model: random transfers, blocks, reorganisations, drops, crashes, restarts,
//! duplicates, clock jumps, late and follow-up deposits, refunds, also of the merchant, withdrawals, callbacks, flagged senders, operators'
//! decisions, and a screening that stops answering; transactions that are executed again, nodes that are behind, lose fields or have another
//! clock, fees that rise and rates that jump. After every step the gateway's state must follow from the best
//! chain.
//!
//! `CHECKOUT_SEEDS`, `CHECKOUT_FIRST_SEED` and `CHECKOUT_SECONDS` set how many worlds are run; `cargo xtask soak` and
//! `cargo xtask ci` set them.

mod check;
mod claims;
mod coins;
mod counts;
mod courier;
mod drive;
mod events;
mod exactly_once;
mod finality;
mod hostile;
mod merchant_refunds;
mod model;
mod money;
mod paying;
mod reading;
mod refunds;
mod screening;
mod senders;
mod shrink;
mod steps;
mod telling;

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use self::counts::Counts;
use self::steps::{Scene, Step};

/// A gross mistake fails in the first ten. `cargo xtask ci` runs as many as its time allows.
const SEEDS: u64 = 20;

fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

/// Runs a scene to its end. The error contains the step and the failure.
async fn play(scene: Scene, steps: Vec<Step>) -> Result<Counts, String> {
    // A separate task, so that a panic is an ordinary failure.
    let played = tokio::spawn(async move { Box::pin(drive::play(&scene, &steps)).await }).await;
    played.unwrap_or_else(|error| {
        let panic = error.try_into_panic().map_err(|error| error.to_string())?;
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(text.or_else(|| panic.downcast_ref().copied()).unwrap_or("a panic without a text").to_owned())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gateway_matches_its_model() {
    let first = setting("CHECKOUT_FIRST_SEED").unwrap_or(1);
    let seeds = setting("CHECKOUT_SEEDS").unwrap_or(SEEDS);
    let time = setting("CHECKOUT_SECONDS").map(Duration::from_secs);
    let (started, next) = (Instant::now(), Arc::new(AtomicU64::new(first)));
    let workers = 2 * std::thread::available_parallelism().map_or(1, usize::from);
    let workers: Vec<_> = (0..workers)
        .map(|_| {
            let next = Arc::clone(&next);
            tokio::spawn(async move {
                let mut counts = Counts::default();
                while time.is_none_or(|time| started.elapsed() < time) {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    if seed >= first + seeds {
                        break;
                    }
                    let (scene, steps) = steps::plan(seed);
                    match play(scene.clone(), steps.clone()).await {
                        Ok(more) => counts.add(&more),
                        Err(failure) => {
                            next.store(u64::MAX / 2, Ordering::SeqCst);
                            return Err((seed, scene, steps, failure));
                        }
                    }
                }
                Ok(counts)
            })
        })
        .collect();
    let (mut counts, mut failed) = (Counts::default(), None);
    for worker in workers {
        match worker.await.unwrap() {
            Ok(more) => counts.add(&more),
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    if let Some((seed, scene, steps, failure)) = failed {
        panic!("{}", shrink::report(seed, &scene, steps, failure).await);
    }
    // Writes directly, because the test runner captures `eprintln!` of passing tests.
    let figures = format!("{counts}\nin {:.1} s\n", started.elapsed().as_secs_f32());
    std::io::stderr().write_all(figures.as_bytes()).unwrap();
    if counts.seeds >= 200 {
        counts.assert_all_met();
    }
}
