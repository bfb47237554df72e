//! Tests the package as its users get it: packed, installed from the tarball, then run in Node, checked by the
//! TypeScript compiler and loaded in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::packed;
use crate::counts::{Counts, counted_in_node};
use crate::files;
use crate::outcome::Outcome;
use crate::process;
use crate::setup;
use crate::workspace::Workspace;

const TYPESCRIPT: &str = "5.9.3";

/// Compiler options of users, added to npm/tests/tsconfig.json: Node's resolution, a bundler's, a project without DOM.
const COMPILERS: &[&[&str]] = &[
    &["--module", "nodenext", "--lib", "es2022,dom"],
    &["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom"],
    &["--module", "nodenext", "--lib", "es2020"],
];

/// Requires `target/npm`.
pub(crate) fn run(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let _lock = files::lock(&workspace.scratch().join("npm.lock"))?;
    let stage = stage(workspace)?;
    node(&stage, counts)?;
    types(workspace, &stage, counts)?;
    browser(workspace, &stage, counts)
}

/// Creates a project with the package as its only dependency, the tests and their expected results.
fn stage(workspace: &Workspace) -> Outcome<PathBuf> {
    let stage = packed::project(workspace, "npm-test", &workspace.npm())?;
    files::copy_all(&workspace.root.join("npm/tests"), &stage)?;

    let vectors = vectors(&workspace.root)?;
    let mut all = String::new();
    for path in &vectors {
        all.push_str(&files::read_text(path)?);
    }
    files::write(&stage.join("vectors.jsonl"), all)?;
    let expected = process::capture(
        workspace
            .cargo()
            .args(["run", "--quiet", "--package", "checkout-npm", "--example", "verdicts", "--"])
            .args(&vectors),
    )?;
    files::write(&stage.join("expected.jsonl"), expected)?;
    Ok(stage)
}

/// The core's test vectors, without those of other options than the default.
fn vectors(root: &Path) -> Outcome<Vec<PathBuf>> {
    let folder = root.join("core/tests/vectors");
    let mut files = files::entries(&folder.join("addresses"))?;
    files.extend(["policy.jsonl", "pasted.jsonl"].map(|name| folder.join(name)));
    Ok(files)
}

/// Runs the tests of a project in Node.
pub(super) fn node(stage: &Path, counts: &mut Counts) -> Outcome<()> {
    counted_in_node(Command::new("node").args(["--test", "--test-reporter=tap"]).current_dir(stage), counts)
}

/// Runs the tests of a project in Chromium.
pub(super) fn browser(workspace: &Workspace, stage: &Path, counts: &mut Counts) -> Outcome<()> {
    let programs = setup::for_browser_tests(workspace, &setup::CHROMIUM)?;
    counted_in_node(Command::new("node").arg("browser.js").envs(programs).current_dir(stage), counts)
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
