//! The payment provider for pretix: built as the client is, and tested in the shop's server, on PostgreSQL.

use std::path::PathBuf;
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::sandbox::Sandbox;
use crate::workspace::Workspace;
use crate::{Outcome, files, setup};

const FOLDER: &str = "packaging/pretix";
const PACKAGE: &str = "src/crypto_checkout_pretix";
const NAME: &str = "crypto_checkout_pretix";

#[rustfmt::skip]
const EVENTS: &[&str] = &["--event", "payment.status", "--event", "deposit.confirmed", "--event", "deposit.reversed", "--event", "refund.*", "--event-url"];

/// Where the gateway posts to, in the event of the test.
const WEBHOOKS: &str = "tea/party/crypto-checkout/webhook/";
/// The shop is at the port of the first: nobody hears these.
const OTHER_WEBHOOKS: &str = "coffee/party/crypto-checkout/webhook/";

pub(super) fn build(workspace: &Workspace) -> Outcome<PathBuf> {
    let package = super::sources(workspace, FOLDER, PACKAGE, "python-pretix")?;
    super::pack(workspace, &package, NAME)
}

/// Requires the debug build of the gateway.
pub(crate) fn test(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let place = workspace.scratch().join("python-pretix-test");
    let tests = place.join("tests");
    let lock = workspace.lock("python")?;
    let (client, plugin) = (super::build(workspace)?, build(workspace)?);
    let site = super::install(workspace, &place, &[&client, &plugin])?;
    drop(lock);
    counts.passed += 1;
    files::copy_all(&workspace.root.join(FOLDER).join("tests"), &tests)?;
    files::copy(&workspace.root.join(super::FOLDER).join("tests/run.py"), &tests.join("run.py"))?;

    let sandbox = Sandbox::start(workspace, "python-pretix-sandbox")?;
    let mut tester = Command::new(setup::python_environment(workspace, &setup::PRETIX)?);
    tester.arg("run.py").env("PYTHONPATH", &site).env("DATABASE_URL", checkout_test_postgres::database());
    let [_, (_, other), (_, other_secret), _] = sandbox.shop(EVENTS, OTHER_WEBHOOKS)?;
    tester.env("CHECKOUT_OTHER_TOKEN", other).env("CHECKOUT_OTHER_SECRET", other_secret);
    tester.envs(sandbox.shop(EVENTS, WEBHOOKS)?);
    counted(tester.current_dir(&tests), counts)
}
