//! The archive of a release: one folder with the binary and what belongs to it.

use std::fs::File;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use tar::{Archive, Builder, HeaderMode};

use super::{VERSION, dist};
use crate::workspace::Workspace;
use crate::{Outcome, files};

/// Files of the repository that come with the binary.
const WITH_IT: [&str; 4] = ["LICENSE", "CHANGELOG.md", "packaging/checkout.service", "packaging/alerts.yml"];

/// The name of the folder in an archive, and of the archive without its ending.
fn name(target: &str) -> String {
    format!("checkout-{VERSION}-{target}")
}

pub(super) fn path(workspace: &Workspace, target: &str) -> PathBuf {
    dist(workspace).join(format!("{}.tar.gz", name(target)))
}

/// No times, owners or other facts of this machine: the same content gives the same bytes.
pub(super) fn write(workspace: &Workspace, target: &str, binary: &Path) -> Outcome<PathBuf> {
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
