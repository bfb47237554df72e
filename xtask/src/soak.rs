//! `cargo xtask soak`: compares the gateway with its model in many random worlds, and pays random quotes. With `--everything`
//! every other long search, too, from fresh seeds.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::num::NonZeroU64;

use crate::workspace::{TESTED, Workspace};
use crate::{Outcome, flags, fuzz, process};

const SEEDS: u64 = 10_000;

/// The worlds, see `gateway/tests/http/property.rs`, and the quotes, see `gateway/tests/http/shown_quotes.rs`.
const TESTS: [&str; 2] = ["property::", "the_shown_amount_always_pays"];

pub(crate) fn run(workspace: &Workspace, flags: &flags::Soak) -> Outcome<()> {
    let first = flags.first_seed.map_or_else(fresh, NonZeroU64::get);
    // Unlimited if only a time is given.
    let without = if flags.seconds.is_some() { u64::from(u32::MAX) } else { SEEDS };
    let seeds = flags.seeds.map_or(without, NonZeroU64::get).to_string();
    println!("soak: from seed {first}");
    let stores: &[&str] = if flags.everything { &["sqlite", "postgres"] } else { &["sqlite"] };
    for store in stores {
        let mut command = tests(workspace, &["--test", "http"]);
        command.args(["--", "--nocapture"]).args(TESTS);
        command.env("CHECKOUT_TEST_STORE", store).env("CHECKOUT_FIRST_SEED", first.to_string());
        command.env("CHECKOUT_SEEDS", &seeds).env("CHECKOUT_CASES", &seeds);
        command.envs(flags.seconds.map(|seconds| ("CHECKOUT_SECONDS", seconds.to_string())));
        process::run(&mut command)?;
    }
    if flags.everything { others(workspace, first) } else { Ok(()) }
}

/// Every kill, the property tests of all packages, and the fuzz targets.
fn others(workspace: &Workspace, seed: u64) -> Outcome<()> {
    let mut kills = tests(workspace, &["--test", "process"]);
    process::run(kills.args(["--", "kills::a_sweep"]).env("CHECKOUT_KILLS", "every"))?;
    let mut properties = tests(workspace, &["--lib", "--test", "it"]);
    // A test of every day has 256.
    properties.env("PROPTEST_CASES", "20000").env("PROPTEST_RNG_SEED", seed.to_string());
    process::run(&mut properties)?;
    fuzz::run(workspace, None, &[])
}

fn tests(workspace: &Workspace, targets: &[&str]) -> std::process::Command {
    let mut cargo = workspace.cargo();
    cargo.arg("test").args(TESTED).args(targets);
    cargo
}

/// A random first seed, so that each run tests other worlds. The test command starts at seed 1.
fn fresh() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000_000
}
