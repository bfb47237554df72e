//! `cargo xtask test`: every check and test, the cheap ones first, the browser's last.

mod count;

use std::fs;
use std::time::{Duration, Instant};

pub(crate) use count::Counts;

use crate::build::{self, Profile};
use crate::workspace::Workspace;
use crate::{Outcome, bench, contract, fuzz, lint, npm, oracles, process, setup, site, size, tidy};

struct Step {
    name: &'static str,
    /// Parts of the product that `cargo xtask test <part>` names and that need this step.
    parts: &'static [&'static str],
    run: fn(&Workspace, &mut Counts) -> Outcome<()>,
}

const PARTS: &[&str] = &["core", "gateway", "contract", "npm", "widget", "xtask", "e2e"];

const STEPS: &[Step] = &[
    Step { name: "set-up", parts: PARTS, run: |workspace, _| setup::for_building(workspace) },
    Step {
        name: "browser set-up",
        parts: &["e2e", "npm"],
        run: |workspace, _| {
            setup::for_browser_tests(workspace).and_then(|_| setup::axe(workspace)).map(|_| ())
        },
    },
    Step { name: "database set-up", parts: &["gateway"], run: |_, _| setup::for_database_tests() },
    Step { name: "npm set-up", parts: &["npm"], run: |workspace, _| setup::for_npm(workspace) },
    Step { name: "tidy", parts: &[], run: |workspace, _| tidy::check(workspace) },
    Step {
        name: "formatting",
        parts: &[],
        run: |workspace, _| setup::for_linting(workspace).and_then(|()| lint::format(workspace)),
    },
    Step { name: "clippy", parts: &[], run: |workspace, _| lint::clippy_native(workspace) },
    Step { name: "clippy of the oracles", parts: &[], run: |workspace, _| oracles::lint(workspace) },
    Step { name: "clippy of the benchmarks", parts: &[], run: |workspace, _| bench::lint(workspace) },
    Step { name: "clippy for WebAssembly", parts: &[], run: |workspace, _| lint::clippy_wasm(workspace) },
    Step {
        name: "core tests",
        parts: &["core"],
        run: |workspace, counts| cargo_test(workspace, counts, "checkout-core"),
    },
    Step { name: "core beside Rust crates", parts: &["core"], run: oracles::rust },
    Step { name: "core beside npm packages", parts: &["core"], run: oracles::javascript },
    Step { name: "core's benchmarks", parts: &["core"], run: bench::test },
    Step { name: "fuzz targets", parts: &["core"], run: |workspace, _| fuzz::smoke(workspace) },
    Step { name: "core without std", parts: &["core"], run: |workspace, _| core_without_std(workspace) },
    Step { name: "core's pages", parts: &["core"], run: |workspace, _| core_pages(workspace) },
    Step {
        name: "tests of the test database",
        parts: &["gateway"],
        run: |workspace, counts| cargo_test(workspace, counts, "checkout-test-postgres"),
    },
    Step {
        name: "widget tests",
        parts: &["widget"],
        run: |workspace, counts| cargo_test(workspace, counts, "checkout-widget"),
    },
    Step {
        name: "npm binding tests",
        parts: &["npm"],
        run: |workspace, counts| cargo_test(workspace, counts, "checkout-npm"),
    },
    Step { name: "npm package", parts: &["npm"], run: |workspace, _| npm::build(workspace) },
    Step { name: "npm package tests", parts: &["npm"], run: npm::test },
    Step {
        name: "xtask tests",
        parts: &["xtask"],
        run: |workspace, counts| cargo_test(workspace, counts, "xtask"),
    },
    Step {
        name: "widget and pages",
        parts: &["widget", "gateway", "contract", "e2e"],
        run: |workspace, _| site::build(workspace),
    },
    Step {
        name: "types of the pages",
        parts: &["widget", "e2e"],
        run: |workspace, _| site::types::check(workspace),
    },
    Step { name: "size budgets", parts: &["widget"], run: |workspace, _| size::check(workspace) },
    Step {
        name: "gateway tests",
        parts: &["gateway"],
        run: |workspace, counts| cargo_test(workspace, counts, "checkout-gateway"),
    },
    Step {
        name: "tests of the program",
        parts: &["gateway"],
        run: |workspace, counts| cargo_test(workspace, counts, "checkout"),
    },
    Step { name: "gateway beside its document", parts: &["gateway", "contract"], run: contract::test },
    Step { name: "gateway tests on PostgreSQL", parts: &["gateway"], run: gateway_on_postgres },
    Step {
        name: "gateway",
        parts: &["e2e"],
        run: |workspace, _| build::gateway(workspace, Profile::Debug).map(|_| ()),
    },
    Step { name: "end-to-end tests", parts: &["e2e"], run: end_to_end },
];

pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let part = match arguments {
        [] => None,
        [part] if PARTS.contains(&part.as_str()) => Some(part.as_str()),
        _ => return Err(format!("`cargo xtask test` takes one part at most: {}.", PARTS.join(", "))),
    };
    let mut counts = Counts::default();
    let mut times: Vec<(&str, Duration)> = Vec::new();
    let mut outcome = Ok(());
    for step in STEPS.iter().filter(|step| part.is_none_or(|part| step.parts.contains(&part))) {
        println!("\n== {}", step.name);
        let (started, failed_before) = (Instant::now(), counts.failed);
        let result = (step.run)(workspace, &mut counts);
        times.push((step.name, started.elapsed()));
        if let Err(sentence) = result {
            counts.failed = counts.failed.max(failed_before + 1);
            outcome = Err(format!("FAILED at: {}\n{sentence}", step.name));
            break;
        }
    }
    println!("\n== times");
    for (name, time) in &times {
        println!("{:>8.1} s  {name}", time.as_secs_f32());
    }
    println!("{:>8.1} s  in all", times.iter().map(|(_, time)| *time).sum::<Duration>().as_secs_f32());
    if let Err(sentence) = outcome {
        eprintln!("\n{sentence}\n");
    }
    println!("{counts}");
    if counts.failed == 0 { Ok(()) } else { std::process::exit(1) }
}

fn cargo_test(workspace: &Workspace, counts: &mut Counts, package: &str) -> Outcome<()> {
    let mut command = workspace.cargo();
    command.args(["test", "--no-fail-fast", "--package", package]);
    counted(&mut command, counts)
}

pub(crate) fn counted(command: &mut std::process::Command, counts: &mut Counts) -> Outcome<()> {
    process::lines(command, |line| {
        println!("{line}");
        counts.read(line);
    })
}

/// What is tested through the HTTP interface, on the other store.
fn gateway_on_postgres(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let mut command = workspace.cargo();
    command
        .args(["test", "--no-fail-fast", "--package", "checkout-gateway", "--lib", "http::tests"])
        .env("CHECKOUT_TEST_STORE", "postgres")
        .env("CHECKOUT_SEEDS", "50");
    counted(&mut command, counts)
}

fn core_without_std(workspace: &Workspace) -> Outcome<()> {
    setup::for_no_std(workspace)?;
    for target in [setup::BARE_TARGET, setup::WASM_TARGET] {
        process::run(workspace.cargo().args(["build", "--package", "checkout-core", "--target", target]))?;
    }
    Ok(())
}

/// A link that leads nowhere is a warning.
fn core_pages(workspace: &Workspace) -> Outcome<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["doc", "--package", "checkout-core", "--no-deps"]);
    process::run(cargo.env("RUSTDOCFLAGS", "--deny warnings"))
}

fn end_to_end(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let browser = setup::for_browser_tests(workspace)?;
    let screenshots = workspace.target.join("screenshots");
    fs::create_dir_all(&screenshots).map_err(|error| format!("{}: {error}.", screenshots.display()))?;
    let axe = setup::axe(workspace)?;
    let mut command = workspace.cargo();
    command
        .args(["test", "--no-fail-fast", "--package", "checkout-e2e"])
        .env("CHECKOUT_AXE", axe)
        .env("CHECKOUT_BIN", build::binary(workspace, Profile::Debug))
        .env("CHECKOUT_SCREENSHOTS", &screenshots)
        .env(setup::CHROMIUM_VARIABLE, &browser.chromium)
        .env(setup::CHROMEDRIVER_VARIABLE, &browser.chromedriver);
    let outcome = counted(&mut command, counts);
    println!("screenshots: {}", screenshots.display());
    outcome
}

#[cfg(test)]
mod tests {
    use super::{PARTS, STEPS};

    #[test]
    fn every_part_has_a_step_and_the_browser_comes_last() {
        for part in PARTS {
            assert!(STEPS.iter().skip(1).any(|step| step.parts.contains(part)), "{part}");
        }
        for step in STEPS {
            assert!(step.parts.iter().all(|part| PARTS.contains(part)), "{}", step.name);
        }
        assert_eq!(STEPS.last().map(|step| step.name), Some("end-to-end tests"));
    }

    #[test]
    fn what_a_step_needs_comes_before_it() {
        let place = |name: &str| STEPS.iter().position(|step| step.name == name).expect(name);
        assert!(place("widget and pages") < place("size budgets"));
        assert!(place("widget and pages") < place("gateway"), "the gateway embeds the site");
        assert!(place("widget and pages") < place("gateway beside its document"));
        assert!(place("gateway") < place("end-to-end tests"));
        assert!(place("npm package") < place("npm package tests"));
    }
}
