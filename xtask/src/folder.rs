//! The files of the site, in memory and on disk.

use std::collections::BTreeMap;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use crate::{Outcome, files};

/// Path within the site (with `/`) and content.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The hash of a file's content, for its name.
pub(crate) fn hash(content: &[u8]) -> String {
    files::digest(&[content])[..10].to_owned()
}

/// A line for each file with its digest, as `sha256sum --check` reads it.
pub(crate) fn sums(content: &Files) -> String {
    let line = |(name, bytes): (&String, &Vec<u8>)| format!("{}  {name}\n", files::digest(&[bytes]));
    content.iter().map(line).collect::<Vec<_>>().concat()
}

/// Writes a new folder and swaps it in. If nothing differs, keeps the old folder with its modification times.
pub(crate) fn replace(site: &Path, content: &Files) -> Outcome<()> {
    if read_all(site).is_ok_and(|old| &old == content) {
        return Ok(());
    }
    let [draft, old] = ["draft", "old"].map(|end| site.with_extension(end));
    files::remove_folder(&draft)?;
    write_all(&draft, content)?;
    files::remove_folder(&old)?;
    if site.exists() {
        files::rename(site, &old)?;
    }
    files::rename(&draft, site)?;
    files::remove_folder(&old)
}

pub(crate) fn write_all(folder: &Path, content: &Files) -> Outcome<()> {
    content.iter().try_for_each(|(name, content)| files::write(&folder.join(name), content))
}

/// Reads a folder with its folders; `node_modules` exists only for editors.
pub(crate) fn read_all(folder: &Path) -> Outcome<Files> {
    let entries = WalkDir::new(folder).into_iter().filter_entry(|entry| entry.file_name() != "node_modules");
    let entries = entries.collect::<Result<Vec<_>, _>>().map_err(|error| format!("{error}."))?;
    let files = entries.iter().map(DirEntry::path).filter(|path| !path.is_dir());
    let name = |path: &Path| path.strip_prefix(folder).expect("in the folder").to_string_lossy().into_owned();
    files.map(|path| Ok((name(path), files::read(path)?))).collect()
}
