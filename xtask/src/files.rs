//! Files and folders; errors name the path.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::Outcome;

/// The error message for a path.
pub(crate) fn fault(path: &Path) -> impl Fn(io::Error) -> String + Copy {
    move |error| format!("{}: {error}.", path.display())
}

pub(crate) fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(fault(path))
}

pub(crate) fn read_text(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(fault(path))
}

/// Writes a file, and the folder that it is in.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Outcome<()> {
    create_folder(path.parent().expect("a file lies in a folder"))?;
    fs::write(path, content).map_err(fault(path))
}

pub(crate) fn create_folder(path: &Path) -> Outcome<()> {
    fs::create_dir_all(path).map_err(fault(path))
}

/// Removes a folder with its content, if it exists.
pub(crate) fn remove_folder(path: &Path) -> Outcome<()> {
    if path.exists() { fs::remove_dir_all(path).map_err(fault(path)) } else { Ok(()) }
}

/// Creates a folder, or empties it.
pub(crate) fn empty_folder(path: &Path) -> Outcome<()> {
    remove_folder(path)?;
    create_folder(path)
}

/// The entries of a folder, in an order that does not depend on the file system.
pub(crate) fn entries(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(fault(folder))?;
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(fault(folder))?;
    paths.sort();
    Ok(paths)
}

pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The file that a link of `file` names, both from the root of the repository.
pub(crate) fn resolve(file: &str, link: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

/// Copies the files of a folder, without those in folders of it.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Outcome<()> {
    create_folder(to)?;
    entries(from)?
        .iter()
        .filter(|path| path.is_file())
        .try_for_each(|path| copy(path, &to.join(name_of(path))))
}

pub(crate) fn copy(from: &Path, to: &Path) -> Outcome<()> {
    fs::copy(from, to).map(|_| ()).map_err(fault(from))
}

pub(crate) fn rename(from: &Path, to: &Path) -> Outcome<()> {
    fs::rename(from, to).map_err(fault(from))
}

/// The SHA-256 of what follows each other, in hexadecimal digits.
pub(crate) fn digest<T: AsRef<[u8]>>(parts: &[T]) -> String {
    hex::encode(parts.iter().fold(Sha256::new(), Sha256::chain_update).finalize())
}

/// Waits for other processes with the same lock; dropping the file releases it.
pub(crate) fn lock(path: &Path) -> Outcome<File> {
    create_folder(path.parent().expect("a file lies in a folder"))?;
    let file = File::create(path).map_err(fault(path))?;
    file.lock().map_err(fault(path))?;
    Ok(file)
}
