//! `cargo xtask soak`: the gateway beside its model, for as many worlds as there is time for.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use crate::workspace::Workspace;
use crate::{Outcome, process, setup};

const SEEDS: u64 = 10_000;

/// What the test reads, see `gateway/src/http/tests/property.rs`.
const TEST: &str = "http::tests::property::";

#[derive(Debug, PartialEq, Eq)]
struct Plan {
    seeds: Option<u64>,
    seconds: Option<u64>,
    first: Option<u64>,
}

pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let plan = read(arguments)?;
    setup::for_building(workspace)?;
    let first = plan.first.unwrap_or_else(fresh);
    let mut command = workspace.cargo();
    command
        .args([
            "test",
            "--profile",
            "soak",
            "--package",
            "checkout-gateway",
            "--lib",
            TEST,
            "--",
            "--nocapture",
        ])
        .env("CHECKOUT_FIRST_SEED", first.to_string());
    // Without a number the time alone ends it; without either it is ten thousand.
    let seeds = plan.seeds.unwrap_or(if plan.seconds.is_some() { u64::from(u32::MAX) } else { SEEDS });
    command.env("CHECKOUT_SEEDS", seeds.to_string());
    if let Some(seconds) = plan.seconds {
        command.env("CHECKOUT_SECONDS", seconds.to_string());
    }
    println!("soak: from seed {first}");
    process::run(&mut command)
}

/// Other worlds each time: the test command has those from seed 1 on.
fn fresh() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000_000
}

fn read(arguments: &[String]) -> Outcome<Plan> {
    let mut plan = Plan { seeds: None, seconds: None, first: None };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let place = match argument.as_str() {
            "--seeds" => &mut plan.seeds,
            "--seconds" => &mut plan.seconds,
            "--first-seed" => &mut plan.first,
            other => {
                return Err(format!(
                    "`cargo xtask soak` knows --seeds, --seconds and --first-seed, not `{other}`."
                ));
            }
        };
        let number = rest.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
        *place = Some(number.ok_or_else(|| format!("`{argument}` needs a number, such as 1000."))?);
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::{Plan, read};

    #[test]
    fn reads_numbers_in_any_order() {
        let check = |arguments: &[&str], expected: Option<[Option<u64>; 3]>| {
            let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
            let expected = expected.map(|[seeds, seconds, first]| Plan { seeds, seconds, first });
            assert_eq!(read(&arguments).ok(), expected, "{arguments:?}");
        };
        check(&[], Some([None, None, None]));
        check(&["--seeds", "5"], Some([Some(5), None, None]));
        check(&["--first-seed", "7", "--seeds", "1"], Some([Some(1), None, Some(7)]));
        check(&["--seconds", "60"], Some([None, Some(60), None]));
        check(&["--seconds"], None);
        check(&["--seconds", "0"], None);
        check(&["--minutes", "1"], None);
    }
}
