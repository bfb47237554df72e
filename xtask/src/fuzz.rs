//! `cargo xtask fuzz`: runs every parser of the core under libFuzzer, for some seconds each.
//!
//! It uses the stable toolchain: compiler flags make LLVM add the coverage counters, and a crate contains libFuzzer.
//! Nothing is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::{FUZZ_TARGETS, Workspace};
use crate::{Outcome, files, process, setup};

/// The compiler flags of `cargo fuzz`: counters at every edge, and traces of comparison operands.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

const SECONDS: u64 = 60;

/// Inputs may be longer than any parser accepts, so that length checks are tested too.
const LONGEST: &str = "-max_len=2048";

/// Each target is built, started and passes its seeds, and runs for the seconds: all targets, or the wanted ones.
pub(crate) fn run(workspace: &Workspace, seconds: Option<u64>, wanted: &[String]) -> Outcome<()> {
    let seconds = seconds.unwrap_or(SECONDS);
    setup::CXX_COMPILER.ensure()?;
    let folder = workspace.target.join("fuzz");
    let program = build(workspace, &folder)?;
    let list = process::capture(&mut Command::new(&program))?;
    let targets: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    if let Some(unknown) = wanted.iter().find(|name| !targets.contains(&name.as_str())) {
        return Err(format!("There is no fuzz target `{unknown}`; known targets: {}.", targets.join(", ")));
    }
    let chosen = if wanted.is_empty() { targets } else { wanted.iter().map(String::as_str).collect() };
    chosen.iter().try_for_each(|target| try_one(&program, &folder, target, seconds))?;
    println!("\nfuzz: {} targets ran for {seconds} s each, without a finding", chosen.len());
    Ok(())
}

/// Returns the program that has all targets.
fn build(workspace: &Workspace, folder: &Path) -> Outcome<PathBuf> {
    let host = process::capture(Command::new("rustc").args(["--print", "host-tuple"]))?;
    let host = host.trim();
    let mut cargo = workspace.cargo();
    // With `--target`, the flags do not apply to build scripts, which are not linked with libFuzzer.
    cargo.args(["build", "--release", "--target", host, "--manifest-path"]);
    cargo.arg(workspace.root.join(FUZZ_TARGETS)).arg("--target-dir").arg(folder);
    cargo.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    process::run(&mut cargo)?;
    Ok(folder.join(host).join("release/checkout-fuzz"))
}

/// The corpus is kept between runs.
fn try_one(program: &Path, folder: &Path, target: &str, seconds: u64) -> Outcome<()> {
    let place = folder.join("inputs").join(target);
    let [seeds, corpus, found] = ["seeds", "corpus", "found"].map(|name| place.join(name));
    for folder in [&seeds, &corpus, &found] {
        files::create_folder(folder)?;
    }
    let fuzzer = || {
        let mut command = Command::new(program);
        command.env("CHECKOUT_FUZZ_TARGET", target);
        command
    };
    process::capture(fuzzer().env("CHECKOUT_FUZZ_SEEDS", &seeds))?;
    let log = place.join("log");
    let mut run = fuzzer();
    run.args([&corpus, &seeds, &found]).args([LONGEST, "-timeout=5", "-rss_limit_mb=1024"]);
    run.arg(format!("-max_total_time={seconds}")).arg(format!("-artifact_prefix={}/", found.display()));
    let outcome = process::run(run.stderr(fs::File::create(&log).map_err(files::fault(&log))?));
    let log = fs::read_to_string(&log).unwrap_or_default();
    let done = log.lines().rfind(|line| line.contains("DONE")).unwrap_or("failed");
    println!("fuzz: {target:<12} {done}");
    outcome.map_err(|_| {
        let found = found.display();
        format!(
            "{log}\nFuzz target {target} failed; the input is in {found}, and `cargo xtask fuzz {target}` finds it again. Write a test with \
             it before you fix the error."
        )
    })
}
