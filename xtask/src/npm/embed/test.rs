//! Tests the package packed and installed: in Node, rendered by React on a server, bundled by Vite, in Chromium, with its
//! types.

use std::path::{Path, PathBuf};

use crate::counts::Counts;
use crate::npm::{packed, publish, test};
use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{files, setup};

/// Compiler options of users, added to npm/embed/tests/tsconfig.json.
const COMPILERS: &[&[&str]] = &[
    &["--module", "esnext", "--moduleResolution", "bundler"],
    &["--module", "esnext", "--moduleResolution", "bundler", "--verbatimModuleSyntax"],
];
const OF_NODE: &[&str] = &["--project", "tsconfig.node.json"];

/// Requires `target/npm-embed`.
pub(crate) fn run(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let packages = publish::packages(workspace)?;
    let _lock = packed::lock(workspace)?;
    let stage = stage(workspace, &packages)?;
    test::node(&stage, counts)?;
    let compiler = packages.join("typescript/bin/tsc");
    COMPILERS.iter().try_for_each(|arguments| test::compile(&compiler, &stage, arguments, counts))?;
    test::compile(&compiler, &stage, OF_NODE, counts)?;
    test::browser(workspace, &stage, counts)
}

/// Creates a project with the packed package, the tests, the example, and the packages that they use.
fn stage(workspace: &Workspace, packages: &Path) -> Outcome<PathBuf> {
    setup::for_npm(workspace)?;
    let stage = packed::project(workspace, "npm-embed-test", &workspace.npm_embed())?;
    link(packages, &stage.join("node_modules"))?;
    files::copy_all(&workspace.root.join("npm/embed/tests"), &stage)?;
    for shared in ["npm/tests/chromium.js", "examples/react.tsx"] {
        let from = workspace.root.join(shared);
        files::copy(&from, &stage.join(files::name_of(&from)))?;
    }
    Ok(stage)
}

/// Makes the packages of a folder visible in another one.
fn link(from: &Path, to: &Path) -> Outcome<()> {
    for entry in files::entries(from)? {
        let place = to.join(files::name_of(&entry));
        if !place.exists() {
            std::os::unix::fs::symlink(&entry, place).map_err(files::fault(&entry))?;
        }
    }
    Ok(())
}
