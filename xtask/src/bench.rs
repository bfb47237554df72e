//! `cargo xtask bench`: benchmarks, each with alternatives in the same run. They are not part of the tests: times on a
//! shared machine prove nothing.

use std::num::NonZeroU64;
use std::process::Command;

use crate::workspace::{BENCHMARKS, Profile, Workspace};
use crate::{Outcome, browse, files, flags, npm, process, program, setup};

/// Payments beside which `bench lists` reads pages; they take 5 GB on SQLite, and after that 7 GB on PostgreSQL.
const LISTED: u64 = 1_000_000;

pub(crate) fn run(workspace: &Workspace, flags: &flags::Bench) -> Outcome<()> {
    let payments = flags.payments.map_or(LISTED, NonZeroU64::get).to_string();
    let subject = flags.subject.as_str();
    let (page, mut command, more) = match subject {
        "core" => ("docs/validation.md", workspace.cargo_of(BENCHMARKS, "run"), vec!["--release"]),
        "npm" => ("docs/validation.md", npm_package(workspace)?, vec![]),
        // The hosted page on a slow phone, as a release serves it.
        "page" => ("docs/performance.md", browse::command(workspace, Profile::Release)?, vec!["bench"]),
        "gateway" => ("docs/performance.md", gateway(workspace)?, vec![]),
        "scale" => ("docs/scale.md", gateway(workspace)?, vec!["--scale"]),
        "lists" => ("docs/scale.md", gateway(workspace)?, vec!["--lists", &payments]),
        _ => return Err(format!("There is no benchmark `{subject}`; `cargo xtask help` lists them.")),
    };
    let mut results = String::new();
    process::lines(command.args(more), |line| {
        println!("{line}");
        results.extend([line, "\n"]);
    })?;
    if flags.write {
        let path = workspace.root.join(page);
        files::write(&path, replaced(&files::read_text(&path)?, subject, &results)?)?;
        println!("bench: written into {page}");
    }
    Ok(())
}

fn npm_package(workspace: &Workspace) -> Outcome<Command> {
    let package = npm::core(workspace)?;
    let peers = setup::npm_project(workspace, &setup::PEERS)?;
    let mut node = Command::new("node");
    node.arg("bench.js").arg(package).current_dir(peers);
    Ok(node)
}

/// SQLite runs on the disk of the target folder, PostgreSQL on the disk of the temporary folder. A database in memory
/// would not be comparable.
fn gateway(workspace: &Workspace) -> Outcome<Command> {
    setup::postgres()?;
    let binary = program::with_site(workspace, Profile::Release)?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--release", "--package", "checkout-gateway-bench", "--"]);
    cargo.arg(binary).arg(&workspace.target);
    Ok(cargo)
}

/// Returns the page with `results` between the markers of the subject.
fn replaced(page: &str, subject: &str, results: &str) -> Outcome<String> {
    let (start, end) = (format!("<!-- bench {subject} -->\n"), "<!-- end -->\n");
    let parts = page.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("The page needs the lines {start}and {end}"))?;
    Ok(format!("{before}{start}{results}{end}{after}"))
}
