//! `cargo xtask bench`: what things cost, beside others in the same run. Never a part of the tests: times on a shared
//! machine prove nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::build::{self, Profile};
use crate::workspace::Workspace;
use crate::{Outcome, npm, process, setup, site};

struct Subject {
    name: &'static str,
    /// Prints its results as Markdown.
    run: fn(&Workspace) -> Outcome<String>,
    /// The page that `--write` puts them into.
    page: &'static str,
}

const SUBJECTS: &[Subject] = &[
    Subject { name: "core", run: core, page: VALIDATION },
    Subject { name: "npm", run: npm_package, page: VALIDATION },
    Subject { name: "gateway", run: gateway, page: "docs/performance.md" },
];

const VALIDATION: &str = "docs/validation.md";

pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let (subject, write) = read(arguments)?;
    let results = (subject.run)(workspace)?;
    if write {
        let path = workspace.root.join(subject.page);
        let fault = |error: std::io::Error| format!("{}: {error}.", path.display());
        let page = fs::read_to_string(&path).map_err(fault)?;
        fs::write(&path, replaced(&page, subject, &results)?).map_err(fault)?;
        println!("bench: written into {}", subject.page);
    }
    Ok(())
}

fn read(arguments: &[String]) -> Outcome<(&'static Subject, bool)> {
    let names: Vec<&str> = SUBJECTS.iter().map(|subject| subject.name).collect();
    let usage = || format!("`cargo xtask bench` takes one of {}, and `--write`.", names.join(", "));
    let (name, rest) = arguments.split_first().ok_or_else(usage)?;
    let subject = SUBJECTS.iter().find(|subject| subject.name == name).ok_or_else(usage)?;
    match rest {
        [] => Ok((subject, false)),
        [flag] if flag == "--write" => Ok((subject, true)),
        _ => Err(usage()),
    }
}

/// A workspace of its own: its peers are heavy.
fn cargo(workspace: &Workspace, command: &str) -> Command {
    let mut cargo = workspace.cargo();
    cargo.arg(command).arg("--manifest-path").arg(workspace.root.join("core/bench/Cargo.toml"));
    cargo.arg("--target-dir").arg(workspace.target.join("bench"));
    cargo
}

fn core(workspace: &Workspace) -> Outcome<String> {
    shown(cargo(workspace, "run").arg("--release"))
}

fn npm_package(workspace: &Workspace) -> Outcome<String> {
    setup::for_npm(workspace)?;
    npm::build(workspace)?;
    let why = "the npm package is measured beside them";
    let peers = setup::npm_project("npm-bench", &workspace.root.join("npm/bench"), workspace, why)?;
    shown(Command::new("node").arg("bench.js").arg(npm::folder(workspace)).current_dir(peers))
}

/// SQLite on the disk that the target folder is on, PostgreSQL on that of temporary folders: a store in memory would be
/// another store.
fn gateway(workspace: &Workspace) -> Outcome<String> {
    setup::for_building(workspace)?;
    setup::for_database_tests()?;
    site::build(workspace)?;
    let binary = build::gateway(workspace, Profile::Release)?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--release", "--package", "checkout-gateway-bench", "--"]);
    shown(cargo.arg(binary).arg(&workspace.target))
}

/// Shows what a program prints, and keeps it.
fn shown(command: &mut Command) -> Outcome<String> {
    let mut all = String::new();
    process::lines(command, |line| {
        println!("{line}");
        all.push_str(line);
        all.push('\n');
    })?;
    Ok(all)
}

/// The page with `results` between the marks of the subject.
fn replaced(page: &str, subject: &Subject, results: &str) -> Outcome<String> {
    let (start, end) = (format!("<!-- bench {} -->\n", subject.name), "<!-- end -->\n");
    let parts = page.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) =
        parts.ok_or_else(|| format!("{} needs the lines {start}and {end}", subject.page))?;
    Ok(format!("{before}{start}{results}{end}{after}"))
}

/// Everybody who is measured accepts what they are measured on.
pub(crate) fn test(workspace: &Workspace, counts: &mut crate::test::Counts) -> Outcome<()> {
    crate::test::counted(&mut cargo(workspace, "test"), counts)
}

/// Formatting and clippy, which do not see other workspaces.
pub(crate) fn lint(workspace: &Workspace) -> Outcome<()> {
    let mut fmt = workspace.cargo();
    let manifest = Path::new("core/bench/Cargo.toml");
    process::run(fmt.args(["fmt", "--check", "--manifest-path"]).arg(workspace.root.join(manifest)))?;
    process::run(cargo(workspace, "clippy").args(["--all-targets", "--", "--deny", "warnings"]))
}

#[cfg(test)]
mod tests {
    use super::{SUBJECTS, read, replaced};

    #[test]
    fn reads_a_subject_and_where_its_results_go() {
        let check = |arguments: &[&str], expected: Option<(&str, bool)>| {
            let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
            let found = read(&arguments).ok().map(|(subject, write)| (subject.name, write));
            assert_eq!(found, expected, "{arguments:?}");
        };
        check(&["core"], Some(("core", false)));
        check(&["npm", "--write"], Some(("npm", true)));
        check(&[], None);
        check(&["all"], None);
        check(&["core", "--fast"], None);
    }

    #[test]
    fn results_stand_between_their_marks() {
        let [subject, ..] = SUBJECTS else { panic!("there is no subject") };
        let page = "a\n<!-- bench core -->\nold\n<!-- end -->\nb\n<!-- end -->\n";
        let expected = "a\n<!-- bench core -->\nnew\n<!-- end -->\nb\n<!-- end -->\n";
        assert_eq!(replaced(page, subject, "new\n").as_deref(), Ok(expected));
        assert!(replaced("<!-- bench core -->\n", subject, "new\n").is_err());
    }
}
