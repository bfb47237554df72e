//! `cargo xtask bench`: benchmarks, each with alternatives in the same run. They are not part of the tests: times on a
//! shared machine prove nothing.

use std::process::Command;

use crate::files;
use crate::program;
use crate::site;
use crate::workspace::{BENCHMARKS, Profile, Workspace};
use crate::{Outcome, browse, flags, npm, process, setup};

struct Subject {
    name: &'static str,
    /// Runs the benchmark; returns the results as Markdown.
    run: fn(&Workspace, &flags::Bench) -> Outcome<String>,
    /// The page that `--write` updates.
    page: &'static str,
}

const SUBJECTS: &[Subject] = &[
    Subject { name: "core", run: core, page: VALIDATION },
    Subject { name: "npm", run: npm_package, page: VALIDATION },
    Subject { name: "gateway", run: gateway, page: PERFORMANCE },
    Subject { name: "page", run: page, page: PERFORMANCE },
    Subject { name: "scale", run: scale, page: SCALE },
    Subject { name: "lists", run: lists, page: SCALE },
];

/// Payments beside which `bench lists` reads pages; they take 5 GB on SQLite, and after that 7 GB on PostgreSQL.
const LISTED: u64 = 1_000_000;

const SCALE: &str = "docs/scale.md";
const VALIDATION: &str = "docs/validation.md";
const PERFORMANCE: &str = "docs/performance.md";

pub(crate) fn run(workspace: &Workspace, flags: &flags::Bench) -> Outcome<()> {
    let subject = find(&flags.subject)?;
    let results = (subject.run)(workspace, flags)?;
    if flags.write {
        let path = workspace.root.join(subject.page);
        files::write(&path, replaced(&files::read_text(&path)?, subject, &results)?)?;
        println!("bench: written into {}", subject.page);
    }
    Ok(())
}

fn find(name: &str) -> Outcome<&'static Subject> {
    SUBJECTS.iter().find(|subject| subject.name == name).ok_or_else(|| {
        let names: Vec<&str> = SUBJECTS.iter().map(|subject| subject.name).collect();
        format!("`cargo xtask bench` takes one of {} and optionally `--write`.", names.join(", "))
    })
}

fn core(workspace: &Workspace, _: &flags::Bench) -> Outcome<String> {
    shown(workspace.cargo_of(BENCHMARKS, "run").arg("--release"))
}

fn npm_package(workspace: &Workspace, _: &flags::Bench) -> Outcome<String> {
    let package = npm::core(workspace)?;
    let why = "the npm package is compared with them";
    let peers = setup::npm_project("npm-bench", &workspace.root.join("npm/bench"), workspace, why)?;
    shown(Command::new("node").arg("bench.js").arg(package).current_dir(peers))
}

fn gateway(workspace: &Workspace, _: &flags::Bench) -> Outcome<String> {
    shown(&mut gateway_bench(workspace)?)
}

fn scale(workspace: &Workspace, _: &flags::Bench) -> Outcome<String> {
    shown(gateway_bench(workspace)?.arg("--scale"))
}

fn lists(workspace: &Workspace, flags: &flags::Bench) -> Outcome<String> {
    let payments = flags.payments.as_ref().map_or(LISTED, |payments| payments.get());
    shown(gateway_bench(workspace)?.args(["--lists", &payments.to_string()]))
}

/// SQLite runs on the disk of the target folder, PostgreSQL on the disk of the temporary folder. A database in memory
/// would not be comparable.
fn gateway_bench(workspace: &Workspace) -> Outcome<Command> {
    setup::for_building(workspace)?;
    setup::postgres()?;
    site::build(workspace, Profile::Release)?;
    let binary = program::build(workspace, Profile::Release)?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--release", "--package", "checkout-gateway-bench", "--"]);
    cargo.arg(binary).arg(&workspace.target);
    Ok(cargo)
}

/// The hosted page on a slow phone. The gateway is the debug build: it answers slower, the page is the same.
fn page(workspace: &Workspace, _: &flags::Bench) -> Outcome<String> {
    shown(browse::command(workspace)?.arg("bench"))
}

/// Runs a program; prints and returns its output.
fn shown(command: &mut Command) -> Outcome<String> {
    let mut all = String::new();
    process::lines(command, |line| {
        println!("{line}");
        all.push_str(line);
        all.push('\n');
    })?;
    Ok(all)
}

/// Returns the page with `results` between the markers of the subject.
fn replaced(page: &str, subject: &Subject, results: &str) -> Outcome<String> {
    let (start, end) = (format!("<!-- bench {} -->\n", subject.name), "<!-- end -->\n");
    let parts = page.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) =
        parts.ok_or_else(|| format!("{} needs the lines {start}and {end}", subject.page))?;
    Ok(format!("{before}{start}{results}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{SUBJECTS, replaced};

    #[test]
    fn results_are_written_between_the_markers() {
        let [subject, ..] = SUBJECTS else { panic!("there is no subject") };
        let page = "a\n<!-- bench core -->\nold\n<!-- end -->\nb\n<!-- end -->\n";
        let expected = "a\n<!-- bench core -->\nnew\n<!-- end -->\nb\n<!-- end -->\n";
        assert_eq!(replaced(page, subject, "new\n").as_deref(), Ok(expected));
        assert!(replaced("<!-- bench core -->\n", subject, "new\n").is_err());
    }
}
