//! The archive of a release: one folder with the binary and what belongs to it.

use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use tar::{Archive, Builder, EntryType, Header};

use super::{VERSION, dist};
use crate::workspace::Workspace;
use crate::{Outcome, files};

/// The name of the program in an archive.
pub(super) const PROGRAM: &str = "checkout";

/// Files of the repository that come with the binary.
const WITH_IT: [&str; 4] = ["LICENSE", "CHANGELOG.md", "packaging/checkout.service", "packaging/alerts.yml"];

/// The name of the folder in an archive, and of the archive without its ending.
fn name(target: &str) -> String {
    format!("checkout-{VERSION}-{target}")
}

pub(super) fn path(workspace: &Workspace, target: &str) -> PathBuf {
    dist(workspace).join(format!("{}.tar.gz", name(target)))
}

pub(super) fn write(workspace: &Workspace, target: &str, binary: &Path) -> Outcome<PathBuf> {
    let mut content = vec![(PROGRAM, 0o755, files::read(binary)?)];
    for file in WITH_IT {
        let name = file.rsplit('/').next().unwrap_or(file);
        content.push((name, 0o644, files::read(&workspace.root.join(file))?));
    }
    let path = path(workspace, target);
    files::create_folder(&dist(workspace))?;
    files::write(&path, pack(&name(target), &content).map_err(files::fault(&path))?)?;
    Ok(path)
}

/// No times, owners or other facts of this machine: the same content gives the same bytes.
fn pack(folder: &str, content: &[(&str, u32, Vec<u8>)]) -> std::io::Result<Vec<u8>> {
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for (name, mode, bytes) in content {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(*mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, format!("{folder}/{name}"), bytes.as_slice())?;
    }
    builder.into_inner()?.finish()
}

/// Unpacks an archive into a folder; returns the path of the program in it.
pub(super) fn unpack(workspace: &Workspace, target: &str, into: &Path) -> Outcome<PathBuf> {
    let path = path(workspace, target);
    let packed = files::read(&path)?;
    files::empty_folder(into)?;
    Archive::new(GzDecoder::new(packed.as_slice())).unpack(into).map_err(files::fault(&path))?;
    Ok(into.join(name(target)).join(PROGRAM))
}

#[cfg(test)]
mod tests {
    use flate2::read::GzDecoder;
    use tar::Archive;

    use super::pack;

    #[test]
    fn equal_content_gives_equal_bytes_and_the_program_can_be_run() {
        let content = [("checkout", 0o755, b"\x7fELF".to_vec()), ("LICENSE", 0o644, b"MIT".to_vec())];
        let packed = pack("checkout-1", &content).expect("written to memory");
        assert_eq!(pack("checkout-1", &content).expect("written to memory"), packed);

        let mut archive = Archive::new(GzDecoder::new(packed.as_slice()));
        let read = archive.entries().expect("an archive").map(|entry| {
            let entry = entry.expect("an entry");
            let header = entry.header();
            let path = entry.path().expect("a path").display().to_string();
            (
                path,
                header.mode().expect("a mode"),
                header.mtime().expect("a time"),
                header.uid().expect("an owner"),
            )
        });
        assert_eq!(
            read.collect::<Vec<_>>(),
            [("checkout-1/checkout".to_owned(), 0o755, 0, 0), ("checkout-1/LICENSE".to_owned(), 0o644, 0, 0)]
        );
    }
}
