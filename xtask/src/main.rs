//! `cargo xtask`: `cargo xtask help` lists the commands of [`flags`].
//!
//! ```text
//! serve ─┐
//! test  ─┼─> setup ─> docs ─> site (widget + pages -> target/site) ─> gateway (embeds target/site)
//! build ─┘                     └─> size (budgets)
//! lint, test ─> runner: steps with names, times, and commands that repeat failures
//! ```

#![allow(clippy::print_stdout, reason = "a command-line tool for people: its output is text on the terminal")]
#![allow(clippy::format_push_string, reason = "short texts, where reading matters more than an allocation")]

mod api;
mod bench;
mod browse;
mod budget;
mod build;
mod chain_oracles;
mod contract;
mod counts;
mod crates;
mod deny;
mod docs;
mod files;
mod flags;
mod folder;
mod format;
mod fuzz;
mod lint;
mod npm;
mod oracles;
mod outcome;
mod process;
mod program;
mod pypi;
mod release;
mod runner;
mod rustflags;
mod sandbox;
mod serve;
mod setup;
mod site;
mod size;
mod soak;
mod step;
mod suite;
mod test;
mod tidy;
mod wasm;
mod workflows;
mod workspace;

use std::process::ExitCode;

use flags::XtaskCmd;
use outcome::Outcome;
use workspace::Workspace;

fn main() -> ExitCode {
    let mut words: Vec<_> = std::env::args_os().skip(1).collect();
    if words.first().is_some_and(|word| word == serve::ANNOUNCE) {
        serve::announce();
        return ExitCode::SUCCESS;
    }
    if words.first().is_none_or(|word| word == "help") {
        words = vec!["--help".into()];
    }
    let command = match flags::parse(words) {
        Ok(command) => command,
        Err(help) if help.is_help() => {
            println!("{help}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{error}; `cargo xtask help` lists the commands and their flags.");
            return ExitCode::from(2);
        }
    };
    match Workspace::find().and_then(|workspace| run(&workspace, command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("\n{sentence}");
            ExitCode::FAILURE
        }
    }
}

fn run(workspace: &Workspace, command: XtaskCmd) -> Outcome<()> {
    match command {
        XtaskCmd::Serve(flags) => serve::run(workspace, &flags),
        XtaskCmd::Test(flags) => test::run(workspace, &flags),
        XtaskCmd::Lint(flags) => lint::run(workspace, &flags),
        XtaskCmd::Ci(_) => test::run_with_lint(workspace),
        XtaskCmd::Tidy(_) => tidy::check(workspace),
        XtaskCmd::Soak(flags) => soak::run(workspace, &flags),
        XtaskCmd::Fuzz(flags) => fuzz::run(workspace, &flags),
        XtaskCmd::Bench(flags) => bench::run(workspace, &flags),
        XtaskCmd::Build(flags) => build::run(workspace, &flags),
        XtaskCmd::Npm(_) => npm::run(workspace),
        XtaskCmd::Python(_) => pypi::run(workspace),
        XtaskCmd::Release(flags) => release::run(workspace, &flags),
        XtaskCmd::Size(_) => size::run(workspace),
        XtaskCmd::Screens(_) => browse::screens(workspace),
    }
}
