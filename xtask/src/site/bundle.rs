//! Scripts and style sheets for browsers: esbuild bundles an entry with its imports and minifies it.
//!
//! Each result is one file. `site.rs` adds hashes to the names and fills them into the pages.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::engines::target;
use crate::workspace::Workspace;
use crate::{Outcome, process, setup};

pub(crate) struct Bundler {
    node_modules: PathBuf,
}

impl Bundler {
    pub(crate) fn find_or_install(workspace: &Workspace) -> Outcome<Self> {
        Ok(Self { node_modules: setup::npm_packages(workspace, &setup::PAGES)?.join("node_modules") })
    }

    /// Bundles a module with its imports.
    pub(crate) fn module(&self, entry: &Path, more: &[String]) -> Outcome<String> {
        self.run(entry, &["--bundle", "--minify", "--format=esm", &target()], more)
    }

    /// Bundles a script with its imports; it runs in its own scope.
    pub(crate) fn script(&self, entry: &Path, more: &[String]) -> Outcome<String> {
        self.run(entry, &["--bundle", "--minify", "--format=iife", &target()], more)
    }

    /// Bundles a style sheet with its imports. Rules are minified, but not translated for older browsers.
    pub(crate) fn style(&self, entry: &Path) -> Outcome<String> {
        self.run(entry, &["--bundle", "--minify"], &[])
    }

    /// Translates a module for `require`; it stays readable.
    pub(crate) fn common_js(&self, entry: &Path) -> Outcome<String> {
        self.run(entry, &["--format=cjs", "--platform=node", "--target=es2022"], &[])
    }

    fn run(&self, entry: &Path, arguments: &[&str], more: &[String]) -> Outcome<String> {
        let mut esbuild = Command::new(self.node_modules.join(".bin/esbuild"));
        esbuild.arg(entry).args(["--charset=utf8", "--log-level=warning"]).args(arguments).args(more);
        let text = process::capture(esbuild.env("NODE_PATH", &self.node_modules))?;
        if text.trim().is_empty() { Err(format!("{} is empty.", entry.display())) } else { Ok(text) }
    }
}
