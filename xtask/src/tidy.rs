//! `cargo xtask tidy`: checks the invariants of ARCHITECTURE.md that the compiler does not check.
//!
//! One rule per file: [`alerts`] for metrics, [`edges`] between packages, [`rooms`] between the rooms of a package, [`circles`] between modules, the [`first_line`] of files,
//! [`imports`] of other crates, [`length`] of files, [`names`] of types, [`pinned`] images and actions, [`threats`] with their tests, [`routes`] on the first line of wire files, [`unfinished`] work.

mod alerts;
mod circles;
mod edges;
mod first_line;
mod imports;
mod length;
mod modules;
mod names;
mod pinned;
mod rooms;
mod routes;
mod rust;
mod source;
mod threats;
mod typescript;
mod unfinished;

use crate::files;
use crate::outcome::Outcome;
use crate::workspace::Workspace;

/// Reports all violations together, each with its position and the rule.
pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let sources = source::all(&workspace.root)?;
    let mut found = edges::check(&workspace.packages());
    found.extend(rooms::check(&sources));
    found.extend(circles::check(&sources));
    found.extend(names::check(&sources));
    for source in &sources {
        found.extend(first_line::check(source));
        found.extend(imports::check(source));
        found.extend(length::check(source));
        found.extend(routes::check(source));
        found.extend(unfinished::check(source));
    }
    found.extend(length::stale_reasons(&sources));
    let read = |file: &str| files::read_text(&workspace.root.join(file));
    found.extend(alerts::check(&sources, &read(alerts::ALERTS)?));
    found.extend(threats::check(&sources, &read(threats::THREATS)?));
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
