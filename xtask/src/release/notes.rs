//! The notes of a release: its section of CHANGELOG.md.

use super::VERSION;
use crate::docs::rewrite::absolute;
use crate::workspace::Workspace;
use crate::{Outcome, files};

pub(super) fn run(workspace: &Workspace, tag: &str, repository: &str) -> Outcome<()> {
    if tag.strip_prefix('v') != Some(VERSION) {
        return Err(format!("The tag {tag} is not v{VERSION}, the version of Cargo.toml."));
    }
    let changes = files::read_text(&workspace.root.join("CHANGELOG.md"))?;
    let base = format!("{}/blob/{tag}/", repository.trim_end_matches('/'));
    // Links to files of the repository lead nowhere on the page of a release.
    let notes = absolute(section(&changes, VERSION)?, "CHANGELOG.md", &base)?;
    let path = workspace.target.join("notes.md");
    files::write(&path, notes + "\n")?;
    println!("{}", path.display());
    Ok(())
}

/// The text below the heading `## [1.2.3] - 2026-11-23`.
fn section<'a>(changes: &'a str, version: &str) -> Outcome<&'a str> {
    let start = format!("[{version}] - ");
    let section = changes.split("\n## ").find_map(|section| section.strip_prefix(&start));
    let section = section.ok_or_else(|| format!("CHANGELOG.md has no section `## {start}YYYY-MM-DD`."))?;
    let text = section.split_once('\n').unwrap_or_default().1.trim();
    if text.is_empty() { Err(format!("The section {version} of CHANGELOG.md is empty.")) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn the_section_of_a_version_ends_where_the_next_one_starts() {
        let changes = "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.2.0] - 2026-11-25\n\n- Two.\n\n## [0.1.0] - 2026-11-23\n";
        let check = |version, expected| assert_eq!(section(changes, version).ok(), expected, "{version}");
        check("0.2.0", Some("- Two."));
        check("0.1.0", None);
        check("Unreleased", None);
    }
}
