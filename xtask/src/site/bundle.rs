//! Scripts and style sheets for browsers: esbuild bundles an entry with its imports and minifies it.
//!
//! Each result is one file. `site.rs` adds hashes to the names and fills them into the pages.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Outcome;
use crate::process;
use crate::setup::node::page_packages;
use crate::workspace::Workspace;

/// The newest language version that every supported browser parses: Chrome 94, Firefox 93, Safari 15.4.
const TARGET: &str = "--target=es2022";

pub(crate) struct Bundler {
    node_modules: PathBuf,
}

impl Bundler {
    pub(crate) fn find_or_install(workspace: &Workspace) -> Outcome<Self> {
        Ok(Self { node_modules: page_packages(workspace)?.join("node_modules") })
    }

    /// Bundles a module with its imports.
    pub(crate) fn module(&self, entry: &Path, more: &[String]) -> Outcome<String> {
        let arguments = ["--format=esm", TARGET].map(str::to_owned);
        self.bundle(entry, &[&arguments, more].concat())
    }

    /// Bundles a script with its imports; it runs in its own scope.
    pub(crate) fn script(&self, entry: &Path, more: &[String]) -> Outcome<String> {
        let arguments = ["--format=iife", TARGET].map(str::to_owned);
        self.bundle(entry, &[&arguments, more].concat())
    }

    /// Bundles a style sheet with its imports. Rules are minified, but not translated for older browsers.
    pub(crate) fn style(&self, entry: &Path) -> Outcome<String> {
        self.bundle(entry, &[])
    }

    /// Translates a module for `require`; it stays readable.
    pub(crate) fn common_js(&self, entry: &Path) -> Outcome<String> {
        self.run(entry, &["--format=cjs", "--platform=node", TARGET].map(str::to_owned))
    }

    fn bundle(&self, entry: &Path, arguments: &[String]) -> Outcome<String> {
        self.run(entry, &[&["--bundle", "--minify"].map(str::to_owned), arguments].concat())
    }

    fn run(&self, entry: &Path, arguments: &[String]) -> Outcome<String> {
        let text = process::capture(
            Command::new(self.node_modules.join(".bin/esbuild"))
                .arg(entry)
                .args(["--charset=utf8", "--log-level=warning"])
                .args(arguments)
                .env("NODE_PATH", &self.node_modules),
        )?;
        if text.trim().is_empty() { Err(format!("{} is empty.", entry.display())) } else { Ok(text) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;

    use super::Bundler;
    use crate::workspace::Workspace;

    pub(crate) fn bundler() -> Bundler {
        Bundler::find_or_install(&Workspace::find().expect("a workspace")).expect("esbuild")
    }

    #[test]
    fn bundles_imports_and_reports_missing_ones() {
        let folder = std::env::temp_dir().join(format!("xtask-bundle-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            fs::create_dir_all(&folder).expect("writable");
            let path = folder.join(name);
            fs::write(&path, text).expect("writable");
            path
        };
        write("two.ts", "export const two: number = 2; export const unused = 3;\n");
        let main = write("main.ts", "import { two } from \"./two\"; // a note\nconsole.log(two);\n");
        assert_eq!(bundler().module(&main, &[]).expect("well formed"), "console.log(2);\n");
        assert_eq!(bundler().script(&main, &[]).expect("well formed"), "(()=>{console.log(2);})();\n");

        write("base.css", "b { color: red; }\n");
        let style =
            write("style.css", "@import \"./base.css\";\n/* a note */ a:hover > b { margin: 0px; }\n");
        assert_eq!(bundler().style(&style).expect("well formed"), "b{color:red}a:hover>b{margin:0}\n");

        let broken = write("broken.ts", "import \"./gone\";\n");
        let sentence = bundler().module(&broken, &[]).expect_err("no such file");
        assert!(sentence.contains("./gone") && sentence.contains("broken.ts:1"), "{sentence}");
        fs::remove_dir_all(folder).expect("was made above");
    }
}
