//! The container image: the last stage of `Dockerfile` with binaries that are built already.

use std::process::Command;

use super::{VERSION, archive};
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

/// Static binaries, for an image with nothing else, and the names of their systems in images.
const TARGETS: [(&str, &str); 2] =
    [("x86_64-unknown-linux-musl", "linux/amd64"), ("aarch64-unknown-linux-musl", "linux/arm64")];

pub(super) fn run(workspace: &Workspace) -> Outcome<()> {
    let name = format!("checkout:{VERSION}");
    let stage = last_stage(&files::read_text(&workspace.root.join("Dockerfile"))?);
    if process::capture(&mut buildah(&["manifest", "inspect", &name])).is_ok() {
        process::run(&mut buildah(&["rmi", "--force", &name]))?;
    }
    process::run(&mut buildah(&["manifest", "create", &name]))?;
    for (target, platform) in TARGETS {
        let folder = workspace.scratch().join("image").join(target);
        let binary = archive::unpack(workspace, target, &folder.join("unpacked"))?;
        let context = folder.join("context");
        files::empty_folder(&context)?;
        files::create_folder(&context.join("data"))?;
        files::rename(&binary, &context.join("checkout"))?;
        files::write(&context.join("Dockerfile"), &stage)?;
        let version = format!("org.opencontainers.image.version={VERSION}");
        let mut build = buildah(&["build", "--timestamp", "0", "--platform", platform]);
        build.args(["--label", &version, "--manifest", &name]);
        process::run(build.arg(&context))?;
    }
    println!("{name} is ready: `buildah manifest push --all {name} docker://…`");
    Ok(())
}

fn buildah(arguments: &[&str]) -> Command {
    let mut command = Command::new("buildah");
    command.args(arguments);
    command
}

/// The stage that is the image; what it copies from the stage before lies in the build's context.
fn last_stage(dockerfile: &str) -> String {
    let start = dockerfile.rfind("\nFROM ").map_or(0, |place| place + 1);
    dockerfile[start..]
        .replace("COPY --from=build ", "COPY ")
        .replace(" /checkout ", " checkout ")
        .replace(" /data ", " data ")
}

#[cfg(test)]
mod tests {
    use super::last_stage;

    #[test]
    fn the_last_stage_takes_its_files_from_the_context() {
        let check = |text: &str, expected: &str| assert_eq!(last_stage(text), expected);
        check(
            "FROM rust AS build\nRUN cargo build\n\nFROM scratch\nCOPY --from=build /checkout /usr/bin/checkout\nCOPY --from=build --chown=1:1 /data /var/lib/checkout\n",
            "FROM scratch\nCOPY checkout /usr/bin/checkout\nCOPY --chown=1:1 data /var/lib/checkout\n",
        );
        check("FROM scratch\n", "FROM scratch\n");
    }
}
