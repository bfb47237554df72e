//! The payment provider for Medusa: built against the shop, and tested in its server, on PostgreSQL.

use std::process::Command;

use super::{client, places, start, test};
use crate::counts::Counts;
use crate::files::{read_all, write_all};
use crate::sandbox::Sandbox;
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, files, process, program, setup};

const WEBHOOKS: &str = "hooks/payment/crypto-checkout";

/// Requires the client.
pub(super) fn build(workspace: &Workspace) -> Outcome<()> {
    let [_, _, client, _, package] = places(workspace);
    let shop = setup::npm_packages(workspace, &setup::MEDUSA)?;
    let sources = workspace.root.join("npm/medusa");
    start(workspace, &sources.join("package"), &package)?;
    // The compiler finds the shop and the client beside the sources.
    let stage = workspace.scratch().join("npm-medusa-build");
    files::empty_folder(&stage)?;
    files::copy_all(&sources.join("src"), &stage.join("src"))?;
    for (from, name) in [(&sources, "tsconfig.json"), (&package, "package.json")] {
        files::copy(&from.join(name), &stage.join(name))?;
    }
    write_all(&stage.join("node_modules/@crypto-checkout/client"), &read_all(&client)?)?;
    test::link(&shop, &stage)?;
    let mut tsc = Command::new(shop.join("node_modules/.bin/tsc"));
    process::run(tsc.args(["--project", "tsconfig.json"]).current_dir(&stage))?;
    files::copy_all(&stage.join("dist"), &package.join("dist"))
}

/// Requires the debug build of the gateway.
pub(crate) fn test_medusa(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let _lock = workspace.lock("npm")?;
    client(workspace)?;
    build(workspace)?;
    let [_, _, client, _, package] = places(workspace);
    let stage = test::project(workspace, "npm-medusa-test", &[&client, &package])?;
    // Medusa's commands run only in a folder that depends on it.
    let manifest = "{\"private\": true, \"dependencies\": {\"@medusajs/medusa\": \"*\"}}\n";
    files::write(&stage.join("package.json"), manifest)?;
    test::link(&setup::npm_packages(workspace, &setup::MEDUSA)?, &stage)?;
    files::copy_all(&workspace.root.join("npm/medusa/tests"), &stage)?;
    // Deeper than one block, so that a deposit is confirmed and final at two times.
    let config = stage.join("gateway.toml");
    files::write(&config, "[finality]\nBTC = 3\n")?;
    let (binary, data) =
        (program::binary(workspace, Profile::Debug), workspace.scratch().join("npm-medusa-sandbox"));
    let sandbox = Sandbox::of(binary, &data, &["--config", &config.to_string_lossy()])?;
    let database = ("DATABASE_URL", checkout_test_postgres::database());
    let events = ["payment.status", "deposit.final", "deposit.reversed"].map(|event| ["--event", event]);
    let options = [events.as_flattened(), &["--deposit-pairs", "BTC,USDT/ETH", "--event-url"]].concat();
    let variables = sandbox.shop(&options, WEBHOOKS)?;
    test::node(&stage, &[&variables[..], &[database]].concat(), counts)
}
