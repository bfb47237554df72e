//! Crates of the registry, compiled once per user: the cache folder keeps their part of the target folder, which a new clone
//! copies. Cargo finds each by the hash in its name, which says version, features, profile and compiler, and compiles what is missing.
//! A check before merging (`CI` is set) compiles everything itself.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use walkdir::{DirEntry, WalkDir};

use crate::workspace::Workspace;
use crate::{Outcome, files, process};

/// Folders of the target folder, one for each profile and target that a person's commands use.
const FOLDERS: &[&str] = &["debug", "wasm-dev", "wasm32-unknown-unknown/wasm-dev"];

/// Copies what the cache has into a target folder that this has not been done for. All copies get one time, later than those of what was
/// compiled before: cargo compiles a crate again that is older than one that it uses.
pub(crate) fn fetch(workspace: &Workspace) -> Outcome<()> {
    let done = workspace.scratch().join("registry-fetched");
    let cache = cache(workspace);
    if is_off() || done.is_file() || !cache.is_dir() {
        return Ok(());
    }
    let _lock = files::lock(&workspace.cache.join("registry.lock"))?;
    let mark = done.with_extension("time");
    files::write(&mark, "")?;
    let copied: usize = FOLDERS
        .iter()
        .map(|folder| copy_missing(&cache.join(folder), &workspace.target.join(folder), &mark, |_| true))
        .sum::<io::Result<usize>>()
        .map_err(files::fault(&cache))?;
    println!("{copied} files of compiled crates come from {}", cache.display());
    fs::rename(&mark, &done).map_err(files::fault(&done))
}

/// Copies what was compiled into the cache. With another Cargo.lock or compiler the cache starts anew.
pub(crate) fn store(workspace: &Workspace) -> Outcome<()> {
    if is_off() {
        return Ok(());
    }
    let cache = cache(workspace);
    let key = cache.join("key");
    let _lock = files::lock(&workspace.cache.join("registry.lock"))?;
    let lock = files::read(&workspace.root.join("Cargo.lock"))?;
    let rustc = process::capture(Command::new("rustc").arg("-vV"))?;
    let current = files::digest(&[lock, rustc.into_bytes()]);
    if fs::read_to_string(&key).is_ok_and(|old| old != current) {
        files::remove_folder(&cache)?;
    }
    files::write(&key, current)?;
    let ours = workspace.packages.iter().map(|package| package.name.as_str()).collect();
    for folder in FOLDERS {
        let from = workspace.target.join(folder);
        let hashes = theirs(&from, &ours);
        copy_missing(&from, &cache.join(folder), &key, |path| is_one_of(path, &hashes))
            .map_err(files::fault(&from))?;
    }
    Ok(())
}

fn is_off() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty())
}

fn cache(workspace: &Workspace) -> PathBuf {
    workspace.cache.join("registry")
}

/// The hashes in the names of what cargo compiled of other packages than ours: `serde_json-0ed10de466f3cdb0`.
fn theirs(profile: &Path, ours: &BTreeSet<&str>) -> BTreeSet<String> {
    let names = files::entries(&profile.join(".fingerprint")).unwrap_or_default();
    let of_other = |path: &PathBuf| {
        let name = files::name_of(path);
        let (package, hash) = name.rsplit_once('-')?;
        (!ours.contains(package)).then(|| hash.to_owned())
    };
    names.iter().filter_map(of_other).collect()
}

/// `path` starts with `.fingerprint`, `build` or `deps`.
fn is_one_of(path: &Path, hashes: &BTreeSet<String>) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    let (folder, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let stem = name.split('.').next().unwrap_or_default();
    matches!(&*folder, ".fingerprint" | "build" | "deps")
        && stem.rsplit_once('-').is_some_and(|(_, hash)| hashes.contains(hash))
}

/// Copies the wanted files below a folder that are missing below the other, with the time of `mark`; returns their number. Cargo takes
/// an empty library, which a machine that lost its power leaves behind, for a compiled one.
fn copy_missing(from: &Path, to: &Path, mark: &Path, wanted: impl Fn(&Path) -> bool) -> io::Result<usize> {
    let time = fs::metadata(mark)?.modified()?;
    let inner = |entry: &DirEntry| entry.path().strip_prefix(from).unwrap_or(from).to_owned();
    let is_open = |entry: &DirEntry| entry.depth() < 2 && entry.file_type().is_dir() || wanted(&inner(entry));
    let mut copied = 0;
    for entry in WalkDir::new(from).into_iter().filter_entry(is_open).filter_map(Result::ok) {
        let (path, place) = (inner(&entry), to.join(inner(&entry)));
        let is_broken = path.starts_with("deps") && entry.metadata()?.len() == 0;
        if entry.file_type().is_file() && !place.exists() && !is_broken {
            fs::create_dir_all(place.with_file_name(""))?;
            // Renamed at the end, so that an interrupted copy does not count as a compiled crate.
            let partial = place.with_file_name("partial");
            fs::copy(entry.path(), &partial)?;
            fs::File::options().append(true).open(&partial)?.set_modified(time)?;
            fs::rename(&partial, &place)?;
            copied += 1;
        }
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::{copy_missing, files, is_one_of, theirs};

    #[test]
    #[rustfmt::skip]
    fn crates_of_the_registry_are_copied_with_one_time_and_ours_are_not() {
        let base = std::env::temp_dir().join(format!("xtask-registry-{}", std::process::id()));
        let write = |path: &str, text| files::write(&base.join(path), text).expect("writable");
        let others = [".fingerprint/serde-01/lib-serde", "build/serde-01/out/a.rs", "deps/libserde-01.rlib", "deps/serde-01.d"];
        let ours = [".fingerprint/checkout-02/lib-checkout", "deps/libcheckout-02.rlib", "checkout", "incremental/a/b"];
        others.iter().chain(&ours).for_each(|path| write(&format!("from/{path}"), "x"));
        write("from/deps/libserde-01.rmeta", "");
        let hashes = theirs(&base.join("from"), &BTreeSet::from(["checkout"]));
        let (to, mark) = (base.join("to"), base.join("mark"));
        write("mark", "");
        let copy = || copy_missing(&base.join("from"), &to, &mark, |path| is_one_of(path, &hashes));
        assert_eq!(copy().expect("writable"), others.len());
        let time = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).expect("it is there");
        assert!(others.iter().all(|path| time(&to.join(path)) == time(&mark)));
        assert_eq!(copy().expect("writable"), 0, "what is there stays");
        fs::remove_dir_all(base).expect("was made above");
    }
}
