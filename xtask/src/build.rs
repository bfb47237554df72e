//! `cargo xtask build`: the whole product as one binary.

use std::fs;

use crate::outcome::Outcome;
use crate::program::{self, Profile};
use crate::site::{self, Module};
use crate::workspace::Workspace;
use crate::{flags, setup};

pub(crate) fn run(workspace: &Workspace, flags: &flags::Build) -> Outcome<()> {
    let profile = if flags.debug { Profile::Debug } else { Profile::Release };
    setup::for_building(workspace)?;
    site::build(workspace, Module::Optimised)?;
    let binary = program::build(workspace, profile)?;
    let bytes = fs::metadata(&binary).map_err(|error| format!("{}: {error}", binary.display()))?.len();
    println!(
        "{} ({} MB): gateway, widget and pages in one file",
        binary.display(),
        bytes.div_ceil(1_000_000)
    );
    Ok(())
}
