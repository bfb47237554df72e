//! Files and folders; errors name the path.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::outcome::Outcome;

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

pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Outcome<()> {
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

/// Waits for other processes with the same lock; dropping the file releases it.
pub(crate) fn lock(path: &Path) -> Outcome<File> {
    let file = File::create(path).map_err(fault(path))?;
    file.lock().map_err(fault(path))?;
    Ok(file)
}
