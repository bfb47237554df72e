//! Files and folders, and whole folders in memory; errors name the path.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use walkdir::{DirEntry, WalkDir};

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
    walked(WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name())
}

fn walked(entries: impl IntoIterator<Item = walkdir::Result<DirEntry>>) -> Outcome<Vec<PathBuf>> {
    let path = |entry: walkdir::Result<DirEntry>| Ok(entry.map_err(|error| format!("{error}."))?.into_path());
    entries.into_iter().map(path).collect()
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

/// The files of a folder: path within it (with `/`) and content.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The hash of a file's content, for its name.
pub(crate) fn hash(content: &[u8]) -> String {
    digest(&[content])[..10].to_owned()
}

/// A line for each file with its digest, as `sha256sum --check` reads it.
pub(crate) fn sums(content: &Files) -> String {
    let line = |(name, bytes): (&String, &Vec<u8>)| format!("{}  {name}\n", digest(&[bytes]));
    content.iter().map(line).collect::<Vec<_>>().concat()
}

/// Writes a new folder and swaps it in. If nothing differs, keeps the old folder with its modification times.
pub(crate) fn replace(site: &Path, content: &Files) -> Outcome<()> {
    if read_all(site).is_ok_and(|old| &old == content) {
        return Ok(());
    }
    let [draft, old] = ["draft", "old"].map(|end| site.with_extension(end));
    remove_folder(&draft)?;
    write_all(&draft, content)?;
    remove_folder(&old)?;
    if site.exists() {
        rename(site, &old)?;
    }
    rename(&draft, site)?;
    remove_folder(&old)
}

pub(crate) fn write_all(folder: &Path, content: &Files) -> Outcome<()> {
    content.iter().try_for_each(|(name, content)| write(&folder.join(name), content))
}

/// Reads a folder with its folders, or one file, under an empty name; `node_modules` exists only for editors.
pub(crate) fn read_all(folder: &Path) -> Outcome<Files> {
    let entries = WalkDir::new(folder).into_iter().filter_entry(|entry| entry.file_name() != "node_modules");
    let files = walked(entries)?.into_iter().filter(|path| !path.is_dir());
    let name = |path: &Path| path.strip_prefix(folder).expect("in the folder").to_string_lossy().into_owned();
    files.map(|path| Ok((name(&path), read(&path)?))).collect()
}
