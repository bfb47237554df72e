//! The container image: the last stage of `Dockerfile` with binaries that are built already.

use std::process::Command;

use super::{VERSION, binary};
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

/// Static binaries, for an image with nothing else, and the names of their systems in images.
const TARGETS: [(&str, &str); 2] =
    [("x86_64-unknown-linux-musl", "linux/amd64"), ("aarch64-unknown-linux-musl", "linux/arm64")];

pub(super) fn run(workspace: &Workspace) -> Outcome<()> {
    let name = format!("checkout:{VERSION}");
    if process::capture(&mut buildah(&["manifest", "inspect", &name])).is_ok() {
        process::run(&mut buildah(&["rmi", "--force", &name]))?;
    }
    process::run(&mut buildah(&["manifest", "create", &name]))?;
    for (target, platform) in TARGETS {
        // In place of the first stage, which compiles.
        let stage = workspace.scratch().join("image").join(target);
        let binary = binary::unpack(workspace, target, &stage.join("unpacked"))?;
        files::create_folder(&stage.join("data"))?;
        files::rename(&binary, &stage.join("checkout"))?;
        let version = format!("org.opencontainers.image.version={VERSION}");
        let mut build = buildah(&["build", "--timestamp", "0", "--platform", platform]);
        build.args(["--label", &version, "--manifest", &name]);
        build.arg(format!("--build-context=build={}", stage.display()));
        process::run(build.arg(&workspace.root))?;
    }
    println!("{name} is ready: `buildah manifest push --all {name} docker://…`");
    Ok(())
}

fn buildah(arguments: &[&str]) -> Command {
    let mut command = Command::new("buildah");
    command.args(arguments);
    command
}
