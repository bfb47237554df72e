//! The site of a debug build: read once from the folder that `cargo xtask` writes.

use std::fs;
use std::path::Path;

use super::Row;

const FOLDER: &str = env!("CHECKOUT_SITE_FOLDER");

pub(super) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    collect(Path::new(FOLDER), &mut rows);
    rows
}

fn collect(folder: &Path, rows: &mut Vec<Row>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, rows);
        } else if !["br", "gz"]
            .iter()
            .any(|encoding| path.extension().is_some_and(|known| known == *encoding))
        {
            rows.extend(row(&path));
        }
    }
}

/// The process serves its files until it ends, so that they are never freed.
fn row(path: &Path) -> Option<Row> {
    let name = path.strip_prefix(FOLDER).ok()?.to_str()?.replace('\\', "/");
    let read = |path: &Path| fs::read(path).ok().map(|bytes| &*bytes.leak());
    let [br, gz] = ["br", "gz"].map(|encoding| read(&path.with_added_extension(encoding)));
    Some((name.leak(), read(path)?, br, gz))
}
