//! The files that the rules check.

use std::path::Path;

use super::rust::{self, Code};
use crate::{Outcome, files};

pub(crate) struct Source {
    /// The path from the root of the repository, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Of a Rust file.
    pub(crate) code: Code,
}

const FOLDERS: &[&str] = &[
    "chains", "checkout", "core", "examples", "gateway", "npm", "sandbox", "tests", "widget", "www", "xtask",
];
const ENDINGS: &[&str] = &["rs", "js", "mjs", "ts", "tsx", "css", "html"];

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let is_rust = matches!(path.rsplit_once('.'), Some((_, "rs")));
        let code = if is_rust { rust::read(text) } else { Code::default() };
        Self { path: path.to_owned(), text: text.to_owned(), code }
    }

    /// Code of the product, without files of tests.
    pub(crate) fn is_product(&self) -> bool {
        self.path.contains("/src/")
            && !self.code.lines.is_empty()
            && !["/tests/", "/tests.", "/fixture/", "/fixture."].iter().any(|part| self.path.contains(part))
            && !OTHERS.iter().any(|other| self.path.starts_with(other))
    }
}

/// Not the product: tests, tools and benchmarks.
const OTHERS: &[&str] =
    &["xtask/", "tests/", "examples/", "core/fuzz/", "core/oracles/", "core/bench/", "gateway/bench/"];

pub(crate) fn all(root: &Path) -> Outcome<Vec<Source>> {
    let mut sources = Vec::new();
    for folder in FOLDERS {
        read(root, folder, &mut sources)?;
    }
    Ok(sources)
}

fn read(root: &Path, folder: &str, sources: &mut Vec<Source>) -> Outcome<()> {
    for entry in files::entries(&root.join(folder))? {
        let name = files::name_of(&entry);
        let path = format!("{folder}/{name}");
        if entry.is_dir() {
            if !matches!(name.as_str(), "target" | "node_modules" | "pkg") {
                read(root, &path, sources)?;
            }
        } else if name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending)) {
            sources.push(Source::new(&path, &files::read_text(&entry)?));
        }
    }
    Ok(())
}
