//! Mails of the running gateway to a mail server from PyPI.

use std::process::Command;

use crate::counts::{Counts, counted};
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, files, program, setup};

/// Requires the debug build of the gateway and the site.
pub(crate) fn test(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let python = setup::python_environment(workspace, &setup::MAIL)?;
    let folder = workspace.scratch().join("mail");
    files::empty_folder(&folder)?;
    let mut command = Command::new(python);
    command.arg(workspace.root.join("tests/mail/run.py"));
    command.env("CHECKOUT", program::binary(workspace, Profile::Debug)).env("FOLDER", folder);
    counted(&mut command, counts)
}
