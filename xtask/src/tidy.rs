//! `cargo xtask tidy`: checks the invariants of ARCHITECTURE.md that the compiler does not check.
//!
//! One subject per file: circles between [`modules`], [`floors`] of packages and rooms, [`lines`] of one file, [`names`] of types,
//! [`tables`] that name metrics, tests and dates. Links of the documentation are checked with it.

mod floors;
mod lines;
mod modules;
mod names;
mod rust;
mod source;
mod tables;

use crate::workspace::Workspace;
use crate::{Outcome, docs};

/// Reports all violations together, each with its position and the rule.
pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let sources = source::all(workspace)?;
    let mut found = floors::check(&workspace.packages, &sources);
    for rule in [modules::check, names::check, lines::check, tables::check] {
        found.extend(rule(&sources));
    }
    found.extend(docs::fault(workspace));
    if found.is_empty() {
        println!("tidy: {} files follow the rules", sources.len());
        return Ok(());
    }
    found.sort();
    Err(format!("{}\n\n{} violations of the rules in xtask/src/tidy.", found.join("\n"), found.len()))
}

/// Compares findings with a part of the only one, or with nothing.
#[cfg(test)]
#[track_caller]
fn expect(found: &[String], expected: &str, what: &str) {
    let found = found.join("\n");
    assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{what}: {found}");
}
