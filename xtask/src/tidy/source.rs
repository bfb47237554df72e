//! The files that the rules check.

use super::rust::{self, Code};
use crate::workspace::Workspace;
use crate::{Outcome, changes, files};

pub(super) struct Source {
    /// The path from the root of the repository, with `/`.
    pub(super) path: String,
    pub(super) text: String,
    /// Of a Rust file.
    pub(super) code: Code,
}

pub(super) const ALERTS: &str = "packaging/alerts.yml";
pub(super) const THREATS: &str = "docs/threat-model.md";

/// As git matches them; what it ignores is left out.
#[rustfmt::skip]
const FILES: &[&str] = &[
    "*.rs", "*.js", "*.mjs", "*.ts", "*.tsx", "*.css", "*.html", "*.yml", "*Dockerfile", "compose.yaml", THREATS, crate::repeat::LIST,
];

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

pub(super) fn all(workspace: &Workspace) -> Outcome<Vec<Source>> {
    let list = [&["ls-files", "--cached", "--others", "--exclude-standard", "--"], FILES].concat();
    let paths = changes::git(workspace, &list)?;
    let there = paths.lines().filter(|path| workspace.root.join(path).is_file());
    there.map(|path| Ok(Source::new(path, &files::read_text(&workspace.root.join(path))?))).collect()
}
