//! `cargo xtask fuzz`: runs every parser of the core under libFuzzer, for some seconds each.
//!
//! It uses the stable toolchain: compiler flags make LLVM add the coverage counters, and a crate contains libFuzzer.
//! Nothing is installed.

use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files;
use crate::workspace::{FUZZ_TARGETS, Workspace};
use crate::{Outcome, flags, process, setup};

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

pub(crate) fn run(workspace: &Workspace, flags: &flags::Fuzz) -> Outcome<()> {
    try_all(workspace, flags.seconds.map_or(SECONDS, NonZeroU64::get), &flags.target)
}

/// Runs every target for one second: it must build, start and pass its seeds.
pub(crate) fn smoke(workspace: &Workspace) -> Outcome<()> {
    try_all(workspace, 1, &[])
}

fn try_all(workspace: &Workspace, seconds: u64, wanted: &[String]) -> Outcome<()> {
    setup::cxx_compiler()?;
    let fuzzer = Fuzzer::build(workspace)?;
    let targets = fuzzer.targets()?;
    if let Some(unknown) = wanted.iter().find(|name| !targets.contains(name)) {
        return Err(format!("There is no fuzz target `{unknown}`; known targets: {}.", targets.join(", ")));
    }
    let chosen: Vec<&String> =
        targets.iter().filter(|name| wanted.is_empty() || wanted.contains(name)).collect();
    for target in &chosen {
        fuzzer.run(target, seconds)?;
    }
    println!("\nfuzz: {} targets ran for {seconds} s each, without a finding", chosen.len());
    Ok(())
}

struct Fuzzer {
    binary: PathBuf,
    /// The folder that keeps the corpus between runs.
    folder: PathBuf,
}

impl Fuzzer {
    fn build(workspace: &Workspace) -> Outcome<Self> {
        let host = process::capture(Command::new("rustc").arg("-vV"))?;
        let host =
            host.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc reports no host")?;
        let folder = workspace.target.join("fuzz");
        // With `--target`, the flags do not apply to build scripts, which are not linked with libFuzzer.
        process::run(
            workspace
                .cargo()
                .args(["build", "--release", "--target", host, "--manifest-path"])
                .arg(workspace.root.join(FUZZ_TARGETS))
                .arg("--target-dir")
                .arg(&folder)
                .env_remove("RUSTFLAGS")
                .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}")),
        )?;
        Ok(Self { binary: folder.join(host).join("release/checkout-fuzz"), folder })
    }

    fn targets(&self) -> Outcome<Vec<String>> {
        let list = process::capture(&mut Command::new(&self.binary))?;
        Ok(list.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
    }

    fn run(&self, target: &str, seconds: u64) -> Outcome<()> {
        let place = self.folder.join("inputs").join(target);
        let [seeds, corpus, found] = ["seeds", "corpus", "found"].map(|name| place.join(name));
        for folder in [&seeds, &corpus, &found] {
            files::create_folder(folder)?;
        }
        let mut command = Command::new(&self.binary);
        command.env("CHECKOUT_FUZZ_TARGET", target);
        process::capture(command.env("CHECKOUT_FUZZ_SEEDS", &seeds))?;
        let log = place.join("log");
        let file = fs::File::create(&log).map_err(files::fault(&log))?;
        let mut command = Command::new(&self.binary);
        let outcome = process::run(
            command
                .env("CHECKOUT_FUZZ_TARGET", target)
                .args([&corpus, &seeds, &found])
                .args([LONGEST, "-timeout=5", "-rss_limit_mb=1024"])
                .arg(format!("-max_total_time={seconds}"))
                .arg(format!("-artifact_prefix={}/", found.display()))
                .stderr(file),
        );
        let log = fs::read_to_string(&log).unwrap_or_default();
        println!(
            "fuzz: {target:<12} {}",
            log.lines().rfind(|line| line.contains("DONE")).unwrap_or("failed")
        );
        outcome.map_err(|_| failure(target, &log, &found))
    }
}

/// The error message: what was found, and how to repeat it.
fn failure(target: &str, log: &str, found: &Path) -> String {
    let start = log.find("panicked at").or_else(|| log.find("ERROR")).unwrap_or(0);
    let lines: Vec<&str> = log[start..].lines().take(8).collect();
    format!(
        "Fuzz target {target}: {}\nThe input is in {}; `cargo xtask fuzz {target}` finds it again. \
         Write a test with it before you fix the error.",
        lines.join("\n"),
        found.display()
    )
}
