//! `cargo xtask tidy`: checks the invariants of ARCHITECTURE.md that the compiler does not check.
//!
//! One subject per file: [`alerts`] for metrics, [`edges`] between packages, [`rooms`] between the rooms of a package, [`circles`] between modules, links of the [`docs`], [`imports`] of other
//! crates, [`lines`] of one file, [`names`] of types, [`pinned`] images and actions, [`threats`] with their tests, [`unsteady`] tests.

mod alerts;
mod circles;
mod edges;
mod imports;
mod lines;
mod modules;
mod names;
mod pinned;
mod rooms;
mod rust;
mod source;
mod threats;
mod typescript;
mod unsteady;

use crate::workspace::Workspace;
use crate::{Outcome, docs, files};

/// Reports all violations together, each with its position and the rule.
pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let sources = source::all(&workspace.root)?;
    let mut found = edges::check(&workspace.packages);
    found.extend(rooms::check(&sources));
    found.extend(circles::check(&sources));
    found.extend(names::check(&sources));
    for source in &sources {
        found.extend(imports::check(source));
        found.extend(lines::check(source));
    }
    let read = |file: &str| files::read_text(&workspace.root.join(file));
    found.extend(alerts::check(&sources, &read(alerts::ALERTS)?));
    found.extend(threats::check(&sources, &read(threats::THREATS)?));
    found.extend(unsteady::check(&read(crate::repeat::LIST)?));
    found.extend(docs::fault(workspace));
    for file in pinned::FILES {
        found.extend(pinned::check(file, &read(file)?));
    }
    if found.is_empty() {
        println!("tidy: {} files follow the rules", sources.len());
        return Ok(());
    }
    found.sort();
    Err(format!("{}\n\n{} violations of the rules in xtask/src/tidy.", found.join("\n"), found.len()))
}
