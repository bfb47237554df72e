//! The hosted page in Chromium, outside the tests: its pictures and its times. Both are the example `browse` of the
//! end-to-end tests.

use std::process::Command;

use crate::workspace::{Profile, Workspace};
use crate::{Outcome, files, process, program, setup};

/// `cargo xtask screens`: every screen as a picture, and the pictures of the pages.
pub(crate) fn screens(workspace: &Workspace) -> Outcome<()> {
    let folder = workspace.root.join("docs/screens");
    files::empty_folder(&folder)?;
    process::run(command(workspace, Profile::Debug)?.arg("screens").arg(&folder))?;
    println!("screens: {}", folder.display());
    let images = workspace.root.join("docs/images");
    process::run(command(workspace, Profile::Debug)?.arg("pictures").arg(images))?;
    Ok(())
}

/// The example with its gateway and its browser, without arguments.
pub(crate) fn command(workspace: &Workspace, profile: Profile) -> Outcome<Command> {
    let programs = setup::for_browser_tests(workspace, &setup::CHROMIUM)?;
    let binary = program::with_site(workspace, profile)?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", "checkout-e2e", "--example", "browse", "--"]);
    cargo.envs(programs).env(setup::ENGINE_VARIABLE, setup::CHROMIUM.name).env("CHECKOUT_BIN", binary);
    Ok(cargo)
}
