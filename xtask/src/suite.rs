//! The test programs: compiled once for all steps by `cargo test --no-run`, which reports each as soon as it can be run.
//!
//! One compilation of the whole workspace unifies the features of its dependencies, so that nothing is compiled twice.

use std::fmt;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::counts::{Counts, Failure};
use crate::workspace::{Package, Workspace, target};
use crate::{Outcome, files, process};

/// If more tests fail than this, the whole program is repeated instead of the single tests.
const NAMED: usize = 5;

/// Property tests try the same cases in each run; `cargo xtask soak --everything` tries others.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// The programs that cargo has reported so far.
pub(crate) struct Suite {
    programs: Vec<Program>,
}

/// A test program, or one that tests start.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    package: String,
    /// As arguments of cargo: `--lib`, `--test http`.
    target: String,
    is_test: bool,
    path: PathBuf,
    /// The package's folder, which is the working directory of its tests.
    folder: PathBuf,
}

/// How a step runs its programs.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) variables: &'a [(&'a str, &'a str)],
    /// Arguments of the test program: filters, `--skip NAME`.
    pub(crate) arguments: &'a [&'a str],
    /// The only program, and one that is left out, as [`Program`]'s `Display` writes them; empty for none.
    pub(crate) only: &'a str,
    pub(crate) without: &'a str,
}

/// All tests of all programs.
pub(crate) const ALL: Run<'static> = Run { variables: &[], arguments: &[], only: "", without: "" };

impl Suite {
    /// Compiles the selected tests; `selection` holds arguments of `cargo test`. Writes down each program when cargo reports it.
    pub(crate) fn compile(workspace: &Workspace, selection: &[String]) -> Outcome<()> {
        let path = list(workspace);
        let (mut file, mut faults) = (File::create(&path).map_err(files::fault(&path))?, Vec::new());
        let mut cargo = workspace.cargo();
        cargo.args(["test", "--no-run", "--message-format", "json-render-diagnostics"]).args(selection);
        process::lines(&mut cargo, |line| {
            if program(line).is_some() {
                faults.extend(writeln!(file, "{line}").map_err(files::fault(&path)).err());
            }
        })?;
        faults.pop().map_or(Ok(()), Err)?;
        if Self::reported(workspace).programs.is_empty() {
            return Err(format!("`cargo test --no-run {}` compiled no test.", selection.join(" ")));
        }
        Ok(())
    }

    /// Forgets what was compiled before.
    pub(crate) fn forget(workspace: &Workspace) {
        let _ = fs::remove_file(list(workspace));
    }

    pub(crate) fn reported(workspace: &Workspace) -> Self {
        let messages = fs::read_to_string(list(workspace)).unwrap_or_default();
        Self { programs: messages.lines().filter_map(program).collect() }
    }

    /// Whether all programs of all these packages can be run.
    pub(crate) fn has(&self, names: &[&str], packages: &[Package]) -> bool {
        let has = |name: &&str| {
            let found = self.programs.iter().filter(|program| program.package == *name).count();
            packages.iter().any(|package| package.name == **name && found >= package.executables())
        };
        !names.is_empty() && names.iter().all(has)
    }

    fn tests(&self) -> impl Iterator<Item = &Program> {
        self.programs.iter().filter(|program| program.is_test)
    }

    /// The program that [`Program`]'s `Display` writes so.
    pub(crate) fn named(&self, name: &str) -> Option<&Program> {
        self.tests().find(|program| program.to_string() == name)
    }

    pub(crate) fn packages(&self) -> impl Iterator<Item = &str> {
        self.tests().map(|program| program.package.as_str())
    }

    /// Runs the programs of these packages, even after one failed: a failed test can turn out to be unsteady.
    pub(crate) fn run(&self, packages: &[&str], how: &Run<'_>, counts: &mut Counts) -> Outcome<()> {
        let is_wanted = |program: &&Program| {
            let name = program.to_string();
            packages.contains(&program.package.as_str())
                && (how.only.is_empty() || how.only == name)
                && how.without != name
        };
        let outcomes: Vec<_> =
            self.tests().filter(is_wanted).map(|program| program.run(how, counts)).collect();
        if outcomes.is_empty() {
            return Err(format!("{} {}: there is no such test program.", packages.join(", "), how.only));
        }
        outcomes.into_iter().collect()
    }
}

/// Cargo's messages about the compiled programs.
fn list(workspace: &Workspace) -> PathBuf {
    workspace.scratch().join("suite.jsonl")
}

impl Program {
    fn run(&self, how: &Run<'_>, counts: &mut Counts) -> Outcome<()> {
        let mut command = self.command();
        command.args(how.arguments).envs(how.variables.iter().copied());
        let mut failed: Vec<String> = Vec::new();
        let outcome = process::lines(&mut command, |line| {
            let test = line.strip_prefix("test ");
            let is_noise = line.is_empty() || line.starts_with("running ") || line.ends_with(" ... ok");
            if !is_noise {
                println!("{line}");
            }
            counts.read(line);
            failed.extend(test.and_then(|test| test.strip_suffix(" ... FAILED")).map(str::to_owned));
        });
        if outcome.is_err() {
            counts.repeat.push(self.repeat(how, &failed));
            // A program that crashed names no test, and must not be forgiven with another one.
            counts.failed += u64::from(failed.is_empty());
            let failure = |test| Failure::new(self.to_string(), test, how.variables);
            counts.failures.extend(failed.into_iter().map(failure));
        }
        outcome.map_err(|_| format!("{self} failed."))
    }

    /// Runs one test alone and quietly; returns its output if it failed.
    pub(crate) fn run_one(&self, test: &str, variables: &[(String, String)]) -> Outcome<()> {
        let mut command = self.command();
        command.args(["--exact", test, "--nocapture"]).envs(variables.iter().cloned());
        process::capture(&mut command).map(|_| ())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        if std::env::var_os(SEED.0).is_none() {
            command.env(SEED.0, SEED.1);
        }
        command
    }

    /// The command that repeats the failed tests.
    fn repeat(&self, how: &Run<'_>, failed: &[String]) -> String {
        let variables: String =
            how.variables.iter().flat_map(|(name, value)| [*name, "=", *value, " "]).collect();
        let is_short = (1..=NAMED).contains(&failed.len());
        let rest = if is_short { format!("--exact {}", failed.join(" ")) } else { how.arguments.join(" ") };
        let separator = if rest.is_empty() { "" } else { " -- " };
        format!("{variables}cargo retest {}{separator}{rest}", self.target)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.package, self.target)
    }
}

/// Reads a program from one of cargo's messages.
fn program(message: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(message).ok()?;
    let text = |pointer| message.pointer(pointer).and_then(Value::as_str);
    // `path+file:///folder/core#crypto-checkout-core@0.1.0`, or `path+file:///folder/xtask#0.1.0` of a folder with the package's name.
    let (path, named) = text("/package_id")?.rsplit_once('#')?;
    let package = named.split_once('@').map_or_else(|| path.rsplit('/').next(), |(name, _)| Some(name));
    Some(Program {
        package: package?.to_owned(),
        target: target(text("/target/kind/0")?, text("/target/name")?),
        is_test: message["profile"]["test"] == true,
        path: text("/executable")?.into(),
        folder: Path::new(text("/manifest_path")?).parent()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{ALL, Counts, Program, Run, program};

    const MESSAGE: &str = r#"{"reason":"compiler-artifact","package_id":"path+file:///r/core#crypto-checkout-core@0.1.0",
        "manifest_path":"/r/core/Cargo.toml","target":{"kind":["test"],"name":"it"},"profile":{"test":true},
        "executable":"/r/target/debug/deps/it-1"}"#;

    fn core() -> Program {
        Program {
            package: "crypto-checkout-core".to_owned(),
            target: "--test it".to_owned(),
            is_test: true,
            path: "/r/target/debug/deps/it-1".into(),
            folder: "/r/core".into(),
        }
    }

    #[test]
    fn finds_the_programs_among_cargos_messages() {
        assert_eq!(program(MESSAGE), Some(core()));
        let found = |from: &str, to: &str| program(&MESSAGE.replace(from, to));
        assert_eq!(found("true", "false").map(|found| found.is_test), Some(false));
        assert!(found("[\"test\"]", "[\"lib\"]").is_some_and(|found| found.target == "--lib"));
        assert!(found("crypto-checkout-core@", "").is_some_and(|found| found.package == "core"));
        assert_eq!(found("\"executable\"", "\"other\""), None, "a library as others use it");
    }

    #[test]
    fn a_program_that_crashes_is_counted_and_names_no_test() {
        let program = Program { path: "false".into(), folder: "/".into(), ..core() };
        let mut counts = Counts::default();
        assert!(program.run(&ALL, &mut counts).is_err());
        assert_eq!((counts.failed, counts.failures.len(), counts.repeat.len()), (1, 0, 1));
    }

    #[test]
    fn one_command_repeats_the_failed_tests() {
        let check = |variables: &[(&str, &str)], arguments: &[&str], failed: &[&str], expected: &str| {
            let failed: Vec<String> = failed.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(core().repeat(&Run { variables, arguments, ..ALL }, &failed), expected);
        };
        let program = "cargo retest --test it";
        check(&[], &["a"], &["a::b", "a::c"], &format!("{program} -- --exact a::b a::c"));
        check(&[], &["--skip", "x"], &["1", "2", "3", "4", "5", "6"], &format!("{program} -- --skip x"));
        check(&[("STORE", "postgres")], &[], &["a"], &format!("STORE=postgres {program} -- --exact a"));
    }
}
