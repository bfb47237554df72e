//! The binary for one target: built, packed into an archive with what belongs to it, and used as a stranger uses it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use tar::{Archive, Builder, HeaderMode};

use super::{VERSION, dist};
use crate::sandbox::Sandbox;
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, files, process, program, site};

pub(super) fn run(workspace: &Workspace, target: &str) -> Outcome<()> {
    site::build(workspace, Profile::Release)?;
    let binary = program::build_for(workspace, target)?;
    let archive = write(workspace, target, &binary)?;
    println!("{}", archive.display());
    if runs_here(target) {
        return open_pages(workspace, target);
    }
    println!("It was not tried: this machine runs no {target}.");
    Ok(())
}

/// True for the processor and system of this program.
fn runs_here(target: &str) -> bool {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let mut parts = target.split('-');
    parts.next() == Some(std::env::consts::ARCH) && parts.any(|part| part == system)
}

/// Starts the binary of the archive and opens the shop, the script and the documentation, which are all in the one file.
fn open_pages(workspace: &Workspace, target: &str) -> Outcome<()> {
    let folder = workspace.scratch().join("release").join(target);
    let binary = unpack(workspace, target, &folder.join("unpacked"))?;
    let sandbox = Sandbox::of(binary, &folder.join("data"), &["--shop", "127.0.0.1:0"])?;
    let pages = [
        (format!("{}/", sandbox.says("shopUrl")), "Kettle &amp; Co"),
        (format!("{}/embed.js", sandbox.says("baseUrl")), "crypto-checkout"),
        (format!("{}/docs/", sandbox.says("baseUrl")), "<html"),
    ];
    for (address, part) in pages {
        let curl = ["--fail", "--silent", "--show-error", "--location", &address];
        if !process::capture(Command::new("curl").args(curl))?.contains(part) {
            let archive = path(workspace, target);
            return Err(format!("{address} of {} does not contain `{part}`.", archive.display()));
        }
        println!("opened {address}");
    }
    Ok(())
}

/// Files of the repository that come with the binary.
const WITH_IT: [&str; 4] = ["LICENSE", "CHANGELOG.md", "packaging/checkout.service", "packaging/alerts.yml"];

/// The name of the folder in an archive, and of the archive without its ending.
fn name(target: &str) -> String {
    format!("checkout-{VERSION}-{target}")
}

fn path(workspace: &Workspace, target: &str) -> PathBuf {
    dist(workspace).join(format!("{}.tar.gz", name(target)))
}

/// No times, owners or other facts of this machine: the same content gives the same bytes.
fn write(workspace: &Workspace, target: &str, binary: &Path) -> Outcome<PathBuf> {
    let path = path(workspace, target);
    let fault = files::fault(&path);
    files::create_folder(&dist(workspace))?;
    let file = File::create(&path).map_err(fault)?;
    let mut builder = Builder::new(GzEncoder::new(file, Compression::best()));
    builder.mode(HeaderMode::Deterministic);
    let more = WITH_IT.map(|file| workspace.root.join(file));
    for file in [binary].into_iter().chain(more.iter().map(PathBuf::as_path)) {
        let name = format!("{}/{}", name(target), files::name_of(file));
        builder.append_path_with_name(file, name).map_err(files::fault(file))?;
    }
    builder.into_inner().and_then(GzEncoder::finish).map_err(fault)?;
    Ok(path)
}

/// Unpacks an archive into a folder; returns the path of the program in it.
pub(super) fn unpack(workspace: &Workspace, target: &str, into: &Path) -> Outcome<PathBuf> {
    let path = path(workspace, target);
    let packed = files::read(&path)?;
    files::empty_folder(into)?;
    Archive::new(GzDecoder::new(packed.as_slice())).unpack(into).map_err(files::fault(&path))?;
    Ok(into.join(name(target)).join("checkout"))
}
