//! Where PostgreSQL's programs are.

use std::path::{Path, PathBuf};

/// Folders of packages that do not put the server on the PATH, each with a folder for every version in it.
const VERSIONED: [&str; 3] = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

/// The newest of its name.
pub(crate) fn find(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join(name));
    let mut packaged: Vec<PathBuf> =
        VERSIONED.iter().flat_map(|folder| versions(Path::new(folder))).collect();
    packaged.sort();
    let packaged = packaged.into_iter().rev().map(|version| version.join("bin").join(name));
    packaged.chain(on_path).find(|file| file.is_file()).unwrap_or_else(|| {
        panic!(
            "There is no {name} of PostgreSQL, which these tests need. `cargo xtask test gateway` installs it; by hand: \
             sudo apt-get install postgresql. Or let {} name a server that runs already.",
            crate::VARIABLE
        )
    })
}

fn versions(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path()).filter(|path| path.join("bin/initdb").is_file()).collect()
}
