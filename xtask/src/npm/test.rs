//! Tests the packages as their users get them: packed, installed from the tarball, then run in Node, compiled by TypeScript and
//! loaded in a browser. Publishing is tried, and publint and attw look at them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::places;
use crate::counts::{Counts, counted};
use crate::sandbox::Sandbox;
use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

const QUIET: &[&str] = &["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/// Builds the packages; requires the debug build of the gateway.
pub(crate) fn test(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    super::run(workspace)?;
    let _lock = workspace.lock("npm")?;
    let tests = [core, loader, client, publish];
    let outcomes: Vec<_> = tests.into_iter().map(|test| test(workspace, counts)).collect();
    outcomes.into_iter().collect()
}

fn core(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let [package, ..] = places(workspace);
    let stage = project(workspace, "npm-test", &[&package])?;
    files::copy_all(&workspace.root.join("npm/tests"), &stage)?;
    // The core's test vectors, without those of other options than the default.
    let folder = workspace.root.join("core/tests/vectors");
    let mut vectors = files::entries(&folder.join("addresses"))?;
    vectors.extend(["policy.jsonl", "pasted.jsonl"].map(|name| folder.join(name)));
    let all: Vec<String> = vectors.iter().map(|path| files::read_text(path)).collect::<Outcome<_>>()?;
    files::write(&stage.join("vectors.jsonl"), all.concat())?;
    let mut verdicts = workspace.cargo();
    verdicts.args(["run", "--quiet", "--package", "checkout-npm", "--example", "verdicts", "--"]);
    files::write(&stage.join("expected.jsonl"), process::capture(verdicts.args(&vectors))?)?;

    node(&stage, &[], counts)?;
    compile(workspace, &stage, counts)?;
    browser(workspace, &stage, counts)
}

/// In Node, rendered by React on a server, bundled by Vite, in Chromium.
fn loader(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let [_, package, ..] = places(workspace);
    let stage = project(workspace, "npm-embed-test", &[&package])?;
    link(&setup::npm_packages(workspace, &setup::PACKAGES)?, &stage)?;
    files::copy_all(&workspace.root.join("npm/embed/tests"), &stage)?;
    for shared in ["npm/tests/chromium.js", "examples/react.tsx"] {
        let from = workspace.root.join(shared);
        files::copy(&from, &stage.join(files::name_of(&from)))?;
    }
    node(&stage, &[], counts)?;
    compile(workspace, &stage, counts)?;
    browser(workspace, &stage, counts)
}

/// In Node, its quick start against the sandbox.
fn client(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let [_, _, package, ..] = places(workspace);
    let stage = project(workspace, "npm-client-test", &[&package])?;
    files::copy_all(&workspace.root.join("npm/client/tests"), &stage)?;
    let sandbox = Sandbox::start(workspace, "npm-client-sandbox")?;
    node(&stage, &sandbox.environment()?, counts)?;
    compile(workspace, &stage, counts)
}

/// A dry run of `npm publish`, and the findings of publint and attw, which looks at types: the kit has none.
fn publish(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let tools = setup::npm_packages(workspace, &setup::PACKAGES)?.join("node_modules").join(".bin");
    // The core is ES modules only, and a WebAssembly module has no types.
    let of_core = ["--profile", "esm-only", "--exclude-entrypoints", "core.wasm"];
    let options = [Some(&of_core[..]), Some(&[]), Some(&[]), None, Some(&[])];
    for (package, options) in places(workspace).into_iter().zip(options) {
        let run = |tool: &str, arguments: &[&str]| {
            process::run(Command::new(tools.join(tool)).args(arguments).current_dir(&package))
        };
        println!("npm: {}", package.display());
        run("publint", &["--strict"])?;
        if let Some(options) = options {
            let ways = ["--pack", ".", "--no-emoji", "--no-color", "--format", "ascii"];
            run("attw", &[&ways[..], options].concat())?;
            counts.passed += 1;
        }
        println!("npm publish --dry-run");
        npm(&["publish", "--dry-run", "--access", "public"], &package)?;
        counts.passed += 2;
    }
    Ok(())
}

/// Creates an empty project in the scratch folder, with the packages as its only dependencies.
pub(super) fn project(workspace: &Workspace, name: &str, packages: &[&Path]) -> Outcome<PathBuf> {
    let stage = workspace.scratch().join(name);
    files::empty_folder(&stage)?;
    files::write(&stage.join("package.json"), "{\"private\": true, \"type\": \"module\"}\n")?;
    let pack = |package: &&Path| {
        let packed = npm(&["pack", "--pack-destination", &stage.to_string_lossy()], package)?;
        let tarball = packed.lines().last().ok_or("`npm pack` named no file.")?;
        println!("npm: packed {tarball}");
        Ok(format!("./{tarball}"))
    };
    let tarballs = packages.iter().map(pack).collect::<Outcome<Vec<_>>>()?;
    // What a package finds in the project of its user is linked by the test.
    let mut install = vec!["install", "--offline", "--ignore-scripts", "--legacy-peer-deps"];
    install.extend(tarballs.iter().map(String::as_str));
    npm(&install, &stage)?;
    Ok(stage)
}

/// The packages of an installed project, in another one beside its own.
pub(super) fn link(installed: &Path, stage: &Path) -> Outcome<()> {
    for entry in files::entries(&installed.join("node_modules"))? {
        let place = stage.join("node_modules").join(files::name_of(&entry));
        if !place.exists() {
            std::os::unix::fs::symlink(&entry, place).map_err(files::fault(&entry))?;
        }
    }
    Ok(())
}

fn npm(arguments: &[&str], place: &Path) -> Outcome<String> {
    process::capture(Command::new("npm").args(arguments).args(QUIET).current_dir(place))
}

pub(crate) fn node(stage: &Path, variables: &[(&str, String)], counts: &mut Counts) -> Outcome<()> {
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=tap"]).envs(variables.iter().cloned()).current_dir(stage);
    counted(&mut node, counts)
}

fn browser(workspace: &Workspace, stage: &Path, counts: &mut Counts) -> Outcome<()> {
    let programs = setup::for_browser_tests(workspace, &setup::CHROMIUM)?;
    counted(Command::new("node").arg("browser.js").envs(programs).current_dir(stage), counts)
}

/// Compiles the types of a project as each kind of user does: a `tsconfig*.json` each.
fn compile(workspace: &Workspace, stage: &Path, counts: &mut Counts) -> Outcome<()> {
    let compiler = setup::npm_packages(workspace, &setup::PACKAGES)?.join("node_modules/typescript/bin/tsc");
    let files = files::entries(stage)?;
    for config in files.iter().map(|path| files::name_of(path)).filter(|name| name.starts_with("tsconfig")) {
        println!("tsc --project {config}");
        let mut tsc = Command::new("node");
        process::run(tsc.arg(&compiler).args(["--project", &config]).current_dir(stage))?;
        counts.passed += 1;
    }
    Ok(())
}
