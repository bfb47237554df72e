//! Tests the client packed and installed: in Node, its quick start against the sandbox, its types.

use std::net::TcpListener;
use std::process::Command;

use crate::counts::{Counts, counted_in_node};
use crate::npm::{packed, test};
use crate::outcome::Outcome;
use crate::sandbox::Sandbox;
use crate::workspace::Workspace;
use crate::{api, files};

/// Compiler options of users, added to npm/client/tests/tsconfig.json.
const COMPILERS: &[&[&str]] = &[
    &["--module", "esnext", "--moduleResolution", "bundler"],
    &["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom", "--verbatimModuleSyntax"],
    &["--project", "tsconfig.node.json"],
];

/// Requires `target/npm-client` and the debug build of the gateway.
pub(crate) fn run(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let compiler = api::packages(workspace)?.join("node_modules/typescript/bin/tsc");
    let _lock = packed::lock(workspace)?;
    let stage = packed::project(workspace, "npm-client-test", &workspace.npm_client())?;
    files::copy_all(&workspace.root.join("npm/client/tests"), &stage)?;
    let sandbox = Sandbox::start(workspace, "npm-client-sandbox")?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=tap"]).envs(environment(&sandbox)?).current_dir(&stage);
    counted_in_node(&mut node, counts)?;
    COMPILERS.iter().try_for_each(|arguments| test::compile(&compiler, &stage, arguments, counts))
}

/// What the quick starts read: a business of the sandbox, whose callbacks go to a port of the test.
pub(crate) fn environment(sandbox: &Sandbox) -> Outcome<[(&'static str, String); 4]> {
    let fault = |error: std::io::Error| format!("No port for webhooks: {error}.");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).map_err(fault)?.port();
    let business = sandbox.business(&format!("http://127.0.0.1:{port}/"))?;
    Ok([
        ("CHECKOUT_URL", sandbox.url.clone()),
        ("CHECKOUT_TOKEN", business.token),
        ("CHECKOUT_SECRET", business.secret),
        ("PORT", port.to_string()),
    ])
}
