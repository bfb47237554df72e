//! Finds PostgreSQL's programs.

use std::path::{Path, PathBuf};

/// Folders of packages that do not put the server on the PATH; each contains one folder per version.
const VERSIONED: [&str; 3] = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

/// Returns the newest program of this name.
///
/// # Panics
/// Panics if there is none, with instructions.
pub(crate) fn find(name: &str) -> PathBuf {
    newest(name).unwrap_or_else(|| {
        panic!(
            "There is no {name} of PostgreSQL, which these tests need. `cargo xtask test gateway` installs it; by hand: \
             sudo apt-get install postgresql. Or let {} name a server that runs already.",
            crate::VARIABLE
        )
    })
}

pub(crate) fn newest(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join(name));
    let mut packaged: Vec<PathBuf> =
        VERSIONED.iter().flat_map(|folder| versions(Path::new(folder))).collect();
    packaged.sort_by_key(|folder| number(folder));
    let packaged = packaged.into_iter().rev().map(|version| version.join("bin").join(name));
    packaged.chain(on_path).find(|file| file.is_file())
}

/// The version in a folder's name, such as `16`, `9.6` or `postgresql@15`; without one, the oldest.
fn number(folder: &Path) -> Vec<u32> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let version = name.rsplit('@').next().unwrap_or_default();
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

fn versions(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path()).filter(|path| path.join("bin/initdb").is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers() {
        let mut folders =
            ["/a/postgresql@9", "/a/16", "/a/9.6", "/a/postgresql", "/a/100", "/a/15"].map(Path::new);
        folders.sort_by_key(|folder| number(folder));
        let names = ["/a/postgresql", "/a/postgresql@9", "/a/9.6", "/a/15", "/a/16", "/a/100"];
        assert_eq!(folders, names.map(Path::new));
    }
}
