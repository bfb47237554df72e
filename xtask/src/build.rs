//! `cargo xtask build`: the whole product as one binary.

use std::fs;

use crate::outcome::Outcome;
use crate::program;
use crate::site;
use crate::workspace::{Profile, Workspace};
use crate::{flags, setup};

pub(crate) fn run(workspace: &Workspace, flags: &flags::Build) -> Outcome<()> {
    let profile = if flags.debug { Profile::Debug } else { Profile::Release };
    setup::for_building(workspace)?;
    site::build(workspace, profile)?;
    let binary = program::build(workspace, profile)?;
    let bytes = fs::metadata(&binary).map_err(|error| format!("{}: {error}", binary.display()))?.len();
    println!(
        "{} ({} MB): {}",
        binary.display(),
        bytes.div_ceil(1_000_000),
        match profile {
            Profile::Release => "gateway, widget and pages in one file".to_owned(),
            Profile::Debug => format!("the gateway; it reads {}", workspace.site(profile).display()),
        }
    );
    Ok(())
}
