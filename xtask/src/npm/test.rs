//! Tests the package as its users get it: packed, installed from the tarball, then run in Node, checked by the
//! TypeScript compiler and loaded in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::packed;
use super::{folder, lock};
use crate::counts::Counts;
use crate::setup;
use crate::workspace::Workspace;
use crate::{Outcome, process};

const TYPESCRIPT: &str = "5.9.3";

/// Compiler options of users, added to npm/tests/tsconfig.json: Node's resolution, a bundler's, a project without DOM.
const COMPILERS: &[&[&str]] = &[
    &["--module", "nodenext", "--lib", "es2022,dom"],
    &["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom"],
    &["--module", "nodenext", "--lib", "es2020"],
];

/// Requires `target/npm`.
pub(crate) fn run(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let _lock = lock(workspace)?;
    let stage = stage(workspace)?;
    node(&stage, counts)?;
    types(workspace, &stage, counts)?;
    browser(workspace, &stage, counts)
}

/// Creates a project with the package as its only dependency, the tests and their expected results.
fn stage(workspace: &Workspace) -> Outcome<PathBuf> {
    let stage = packed::project(workspace, "npm-test", &folder(workspace))?;
    let fault = |error: std::io::Error| format!("{}: {error}.", stage.display());
    packed::copy(&workspace.root.join("npm/tests"), &stage)?;

    let vectors = vectors(&workspace.root)?;
    let mut all = String::new();
    for path in &vectors {
        all.push_str(&fs::read_to_string(path).map_err(|error| format!("{}: {error}.", path.display()))?);
    }
    fs::write(stage.join("vectors.jsonl"), all).map_err(fault)?;
    let expected = process::capture(
        workspace
            .cargo()
            .args(["run", "--quiet", "--package", "checkout-npm", "--example", "verdicts", "--"])
            .args(&vectors),
    )?;
    fs::write(stage.join("expected.jsonl"), expected).map_err(fault)?;
    Ok(stage)
}

/// Networks beyond the interface, which the package checks for nobody: their pairs are not supported by default.
const BEYOND: [&str; 3] = ["arbitrum.jsonl", "base.jsonl", "polygon.jsonl"];

/// The core's test vectors that have a currency and a network of the interface.
fn vectors(root: &Path) -> Outcome<Vec<PathBuf>> {
    let folder = root.join("core/tests/vectors");
    let addresses = folder.join("addresses");
    let entries = fs::read_dir(&addresses).map_err(|error| format!("{}: {error}.", addresses.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| !BEYOND.iter().any(|name| file.ends_with(name)));
    files.sort();
    files.extend([folder.join("policy.jsonl"), folder.join("pairs.jsonl")]);
    Ok(files)
}

/// Runs the tests of a project in Node.
pub(super) fn node(stage: &Path, counts: &mut Counts) -> Outcome<()> {
    counted(Command::new("node").args(["--test", "--test-reporter=tap"]).current_dir(stage), counts)
}

/// Runs the tests of a project in Chromium.
pub(super) fn browser(workspace: &Workspace, stage: &Path, counts: &mut Counts) -> Outcome<()> {
    let programs = setup::for_browser_tests(workspace, &setup::CHROMIUM)?;
    counted(Command::new("node").arg("browser.js").envs(programs).current_dir(stage), counts)
}

fn types(workspace: &Workspace, stage: &Path, counts: &mut Counts) -> Outcome<()> {
    let why = "the types of the npm package are compiled with it";
    let compiler = setup::npm_tool(workspace, "typescript", TYPESCRIPT, why)?.join("bin/tsc");
    COMPILERS.iter().try_for_each(|arguments| compile(&compiler, stage, arguments, counts))
}

/// Compiles the types of a project with these options beside its own.
pub(super) fn compile(compiler: &Path, stage: &Path, arguments: &[&str], counts: &mut Counts) -> Outcome<()> {
    println!("tsc {}", arguments.join(" "));
    let mut node = Command::new("node");
    process::run(node.arg(compiler).args(["--project", "tsconfig.json"]).args(arguments).current_dir(stage))?;
    counts.passed += 1;
    Ok(())
}

/// Prints failures and adds up the `# pass` and `# fail` lines.
pub(crate) fn counted(command: &mut Command, counts: &mut Counts) -> Outcome<()> {
    let (mut passed, mut failed) = (0, 0);
    let outcome = process::lines(command, |line| {
        println!("{line}");
        passed += count(line, "# pass ");
        failed += count(line, "# fail ");
    });
    counts.passed += passed;
    counts.failed += failed;
    outcome?;
    if passed > 0 && failed == 0 { Ok(()) } else { Err(format!("{passed} passed, {failed} failed.")) }
}

fn count(line: &str, start: &str) -> u64 {
    line.strip_prefix(start).and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn reads_the_sums_of_node_and_of_the_page() {
        assert_eq!(count("# pass 18", "# pass "), 18);
        assert_eq!(count("# fail 2\r", "# fail "), 2);
        assert_eq!(count("ok 1 - # pass 18", "# pass "), 0);
        assert_eq!(count("# pass many", "# pass "), 0);
    }
}
