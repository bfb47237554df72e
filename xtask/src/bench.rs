//! `cargo xtask bench`: benchmarks, each with alternatives in the same run. They are not part of the tests: times on a
//! shared machine prove nothing. `cargo xtask screens`: pictures of every screen, by the program that measures the page.

use std::num::NonZeroU64;
use std::process::Command;

use crate::workspace::{BENCHMARKS, Profile, Workspace};
use crate::{Outcome, files, flags, npm, process, program, setup};

/// Payments beside which `bench lists` reads pages; they take 5 GB on SQLite, and after that 7 GB on PostgreSQL.
const LISTED: u64 = 1_000_000;

pub(crate) fn run(workspace: &Workspace, flags: &flags::Bench) -> Outcome<()> {
    let payments = flags.payments.map_or(LISTED, NonZeroU64::get).to_string();
    let subject = flags.subject.as_str();
    let (page, mut command, more) = match subject {
        "core" => ("docs/validation.md", workspace.cargo_of(BENCHMARKS, "run"), vec!["--release"]),
        "npm" => ("docs/validation.md", npm_package(workspace)?, vec![]),
        // The hosted page on a slow phone, as a release serves it.
        "page" => ("docs/performance.md", browse(workspace, Profile::Release)?, vec!["bench"]),
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

/// Every screen as a picture, and the pictures of the pages.
pub(crate) fn screens(workspace: &Workspace) -> Outcome<()> {
    files::empty_folder(&workspace.root.join("docs/screens"))?;
    for (what, folder) in [("screens", "docs/screens"), ("pictures", "docs/images")] {
        process::run(browse(workspace, Profile::Debug)?.arg(what).arg(workspace.root.join(folder)))?;
        println!("{what}: {folder}");
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

/// The example `browse` of the end-to-end tests with its gateway and its browser, without arguments.
fn browse(workspace: &Workspace, profile: Profile) -> Outcome<Command> {
    let programs = setup::for_browser_tests(workspace, &setup::CHROMIUM)?;
    let binary = program::with_site(workspace, profile)?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--package", "checkout-e2e", "--example", "browse", "--"]);
    cargo.envs(programs).env(setup::ENGINE_VARIABLE, setup::CHROMIUM.name).env("CHECKOUT_BIN", binary);
    Ok(cargo)
}

/// Returns the page with `results` between the markers of the subject.
fn replaced(page: &str, subject: &str, results: &str) -> Outcome<String> {
    let (start, end) = (format!("<!-- bench {subject} -->\n"), "<!-- end -->\n");
    let parts = page.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("The page needs the lines {start}and {end}"))?;
    Ok(format!("{before}{start}{results}{end}{after}"))
}
