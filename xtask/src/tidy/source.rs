//! The files that the rules check.

use std::path::Path;

use super::rust::{self, Code};
use crate::{Outcome, files};

pub(super) struct Source {
    /// The path from the root of the repository, with `/`.
    pub(super) path: String,
    pub(super) text: String,
    /// Of a Rust file.
    pub(super) code: Code,
}

pub(super) const ALERTS: &str = "packaging/alerts.yml";
pub(super) const THREATS: &str = "docs/threat-model.md";

/// The folders with code, and single files.
const PLACES: &[&str] = &[
    "chains",
    "checkout",
    "core",
    "examples",
    "gateway",
    "npm",
    "sandbox",
    "tests",
    "widget",
    "wire",
    "www",
    "xtask",
    ".github",
    ".devcontainer/Dockerfile",
    "Dockerfile",
    "compose.yaml",
    ALERTS,
    THREATS,
    crate::repeat::LIST,
];
const ENDINGS: &[&str] = &["rs", "js", "mjs", "ts", "tsx", "css", "html", "yml"];

/// Not the product: tests, tools and benchmarks.
const OTHERS: &[&str] =
    &["xtask/", "tests/", "examples/", "core/fuzz/", "core/oracles/", "core/bench/", "gateway/bench/"];

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let code = if path.ends_with(".rs") { rust::read(text) } else { Code::default() };
        Self { path: path.to_owned(), text: text.to_owned(), code }
    }

    /// Code of the product, without files of tests.
    pub(super) fn is_product(&self) -> bool {
        self.path.contains("/src/")
            && !self.code.lines.is_empty()
            && !["/tests/", "/tests.", "/fixture/", "/fixture."].iter().any(|part| self.path.contains(part))
            && !OTHERS.iter().any(|other| self.path.starts_with(other))
    }

    /// Whether it is one of these files or in one of these folders, without endings: a module can be both.
    pub(super) fn is_in(&self, places: &[&str]) -> bool {
        let is_in =
            |place: &&str| self.path.strip_prefix(*place).is_some_and(|rest| rest.starts_with(['.', '/']));
        places.iter().any(is_in)
    }
}

pub(super) fn all(root: &Path) -> Outcome<Vec<Source>> {
    let mut sources = Vec::new();
    PLACES.iter().try_for_each(|place| read(root, place, &mut sources))?;
    Ok(sources)
}

fn read(root: &Path, path: &str, sources: &mut Vec<Source>) -> Outcome<()> {
    let place = root.join(path);
    if !place.is_dir() {
        sources.push(Source::new(path, &files::read_text(&place)?));
        return Ok(());
    }
    for entry in files::entries(&place)? {
        let name = files::name_of(&entry);
        let is_known = match name.rsplit_once('.') {
            _ if entry.is_dir() => !matches!(name.as_str(), "target" | "node_modules" | "pkg"),
            ending => ending.is_some_and(|(_, ending)| ENDINGS.contains(&ending)),
        };
        if is_known {
            read(root, &format!("{path}/{name}"), sources)?;
        }
    }
    Ok(())
}
