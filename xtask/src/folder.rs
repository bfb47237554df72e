//! The files of the site, in memory and on disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::files;
use crate::outcome::Outcome;

/// Path within the site (with `/`) and content.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The hash of a file's content, for its name.
pub(crate) fn hash(content: &[u8]) -> String {
    hex::encode(Sha256::digest(content))[..10].to_owned()
}

/// Writes a new folder and swaps it in. If nothing differs, keeps the old folder with its modification times.
pub(crate) fn replace(site: &Path, draft: &Path, content: &Files) -> Outcome<()> {
    if read_all(site).is_ok_and(|old| &old == content) {
        return Ok(());
    }
    files::remove_folder(draft)?;
    for (name, content) in content {
        let path = draft.join(name);
        let folder = path.parent().expect("a file lies in a folder");
        files::create_folder(folder)?;
        files::write(&path, content)?;
    }
    let old = draft.with_extension("old");
    files::remove_folder(&old)?;
    if site.exists() {
        fs::rename(site, &old).map_err(files::fault(site))?;
    }
    fs::rename(draft, site).map_err(files::fault(site))?;
    files::remove_folder(&old)
}

pub(crate) fn read_all(folder: &Path) -> Outcome<Files> {
    let mut found = Files::new();
    let mut open: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(current) = open.pop() {
        for entry in fs::read_dir(&current).map_err(files::fault(&current))? {
            let path = entry.map_err(files::fault(&current))?.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("found inside the folder");
            let name = name
                .components()
                .map(|part| part.as_os_str().to_string_lossy())
                .collect::<Vec<_>>()
                .join("/");
            found.insert(name, files::read(&path)?);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Files, read_all, replace};

    #[test]
    fn the_site_is_replaced_as_a_whole_and_kept_when_equal() {
        let base = std::env::temp_dir().join(format!("xtask-replace-{}", std::process::id()));
        let (site, draft) = (base.join("site"), base.join("draft"));
        let first = Files::from([("a".to_owned(), b"1".to_vec()), ("b/c".to_owned(), b"2".to_vec())]);
        replace(&site, &draft, &first).expect("writable");
        assert_eq!(read_all(&site).expect("written above"), first);
        let time = fs::metadata(&site).and_then(|data| data.modified()).expect("has a time");

        replace(&site, &draft, &first).expect("writable");
        assert_eq!(fs::metadata(&site).and_then(|data| data.modified()).expect("has a time"), time);

        let second = Files::from([("a".to_owned(), b"3".to_vec())]);
        replace(&site, &draft, &second).expect("writable");
        assert_eq!(read_all(&site).expect("written above"), second);
        assert!(!draft.exists());
        fs::remove_dir_all(base).expect("was made above");
    }
}
