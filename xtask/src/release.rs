//! `cargo xtask release`: the steps of a release that need no hosting service.

use crate::api;
use crate::flags::{self, ReleaseStep};
use crate::outcome::Outcome;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, flags: &flags::Release) -> Outcome<()> {
    match flags.step {
        ReleaseStep::Api => api::compatible::write(workspace),
    }
}
