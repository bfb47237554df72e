//! `cargo xtask soak`: compares the gateway with its model in many random worlds, and pays random quotes.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{flags, process, setup};

const SEEDS: u64 = 10_000;

/// The worlds, see `gateway/tests/http/property.rs`, and the quotes, see `gateway/tests/http/shown_quotes.rs`.
const TESTS: [&str; 2] = ["property::", "the_shown_amount_always_pays"];

pub(crate) fn run(workspace: &Workspace, flags: &flags::Soak) -> Outcome<()> {
    setup::for_compiling()?;
    let first = flags.first_seed.map_or_else(fresh, |seed| seed.0);
    let mut command = workspace.cargo();
    command
        .args(["test", "--package", "checkout-gateway", "--test", "http", "--", "--nocapture"])
        .args(TESTS)
        .env("CHECKOUT_FIRST_SEED", first.to_string())
        .env("CHECKOUT_SEEDS", seeds(flags).to_string())
        .env("CHECKOUT_CASES", seeds(flags).to_string());
    if let Some(seconds) = flags.seconds {
        command.env("CHECKOUT_SECONDS", seconds.0.to_string());
    }
    println!("soak: from seed {first}");
    process::run(&mut command)
}

/// The number of worlds: as given; unlimited if only a time is given; ten thousand without either.
fn seeds(flags: &flags::Soak) -> u64 {
    let without = if flags.seconds.is_some() { u64::from(u32::MAX) } else { SEEDS };
    flags.seeds.map_or(without, |number| number.0)
}

/// A random first seed, so that each run tests other worlds. The test command starts at seed 1.
fn fresh() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000_000
}

#[cfg(test)]
mod tests {
    use super::{SEEDS, seeds};
    use crate::flags::{XtaskCmd, read};

    #[test]
    fn reads_numbers_in_any_order() {
        let check = |arguments: &[&str], expected: Option<[Option<u64>; 3]>| {
            let found = match read(&[&["soak"], arguments].concat()) {
                Ok(XtaskCmd::Soak(flags)) => Some(
                    [flags.seeds, flags.seconds, flags.first_seed]
                        .map(|number| number.map(|number| number.0)),
                ),
                _ => None,
            };
            assert_eq!(found, expected, "{arguments:?}");
        };
        check(&[], Some([None, None, None]));
        check(&["--seeds", "5"], Some([Some(5), None, None]));
        check(&["--first-seed", "7", "--seeds", "1"], Some([Some(1), None, Some(7)]));
        check(&["--seconds", "60"], Some([None, Some(60), None]));
        check(&["--seconds"], None);
        check(&["--seconds", "0"], None);
        check(&["--minutes", "1"], None);
    }

    #[test]
    fn a_time_alone_sets_no_number_of_worlds() {
        let check = |arguments: &[&str], expected: u64| match read(&[&["soak"], arguments].concat()) {
            Ok(XtaskCmd::Soak(flags)) => assert_eq!(seeds(&flags), expected),
            other => panic!("{other:?}"),
        };
        check(&[], SEEDS);
        check(&["--seeds", "5", "--seconds", "1"], 5);
        check(&["--seconds", "60"], u64::from(u32::MAX));
    }
}
