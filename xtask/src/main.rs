//! `cargo xtask`: `cargo xtask help` lists the commands of [`flags`].
//!
//! ```text
//! serve ─┐
//! test  ─┼─> setup ─> docs ─> site (widget + pages) ─> gateway (a release embeds the site, a debug build reads it)
//! build ─┘                     └─> size (budgets)
//! test, ci ─> runner: steps side by side, and commands that repeat failures ─> repeat: what a failed test means
//! ```

#![allow(clippy::print_stdout, reason = "a command-line tool for people: its output is text on the terminal")]
#![allow(clippy::format_push_string, reason = "short texts, where reading matters more than an allocation")]
#![allow(clippy::case_sensitive_file_extension_comparisons, reason = "names of this repository's files")]

mod api;
mod bench;
mod bindings;
mod changes;
mod counts;
mod docs;
mod files;
mod flags;
mod fuzz;
mod groups;
mod kit;
mod lint;
mod npm;
mod oracles;
mod process;
mod program;
mod published;
mod pypi;
mod registry;
mod release;
mod repeat;
mod runner;
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
mod workspace;

use std::ffi::OsString;
use std::num::NonZeroU64;
use std::process::ExitCode;

use flags::XtaskCmd;
use step::Context;
use workspace::Workspace;

/// An error is one or more sentences: what is wrong and what to do next.
pub(crate) type Outcome<T> = Result<T, String>;

fn main() -> ExitCode {
    let mut words: Vec<_> = std::env::args_os().skip(1).collect();
    match words.first().map(|word| word.to_string_lossy()).as_deref() {
        Some(serve::ANNOUNCE) => return exit(serve::announce()),
        Some(runner::RUN_STEP) => {
            return exit(Workspace::find().and_then(|workspace| run_step(&workspace, &words[1..])));
        }
        None | Some("help") => words = vec!["--help".into()],
        Some(_) => {}
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
    exit(Workspace::find().and_then(|workspace| run(&workspace, command)))
}

fn exit(outcome: Outcome<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("\n{sentence}");
            ExitCode::FAILURE
        }
    }
}

/// What a run starts for each of its steps.
fn run_step(workspace: &Workspace, words: &[OsString]) -> Outcome<()> {
    let mut words = words.iter().map(|word| word.to_string_lossy().into_owned());
    let name = words.next().unwrap_or_default();
    let step = test::STEPS.iter().chain(serve::STEPS).find(|step| step.name == name);
    let step = step.ok_or_else(|| format!("There is no step `{name}`."))?;
    runner::run_step(step, &Context { workspace, selection: words.collect() })
}

fn run(workspace: &Workspace, command: XtaskCmd) -> Outcome<()> {
    match command {
        XtaskCmd::Serve(flags) => serve::run(workspace, &flags),
        XtaskCmd::Test(flags) => test::run(workspace, &flags),
        XtaskCmd::Ci(flags) => test::ci(workspace, &flags),
        XtaskCmd::Tidy(_) => tidy::check(workspace),
        XtaskCmd::Soak(flags) => soak::run(workspace, &flags),
        XtaskCmd::Fuzz(flags) => fuzz::run(workspace, flags.seconds.map(NonZeroU64::get), &flags.target),
        XtaskCmd::Bench(flags) => bench::run(workspace, &flags),
        XtaskCmd::Build(_) => program::run(workspace),
        XtaskCmd::Npm(_) => npm::run(workspace),
        XtaskCmd::Python(_) => pypi::run(workspace),
        XtaskCmd::Release(flags) => release::run(workspace, &flags),
        XtaskCmd::Size(_) => size::run(workspace).and(npm::core(workspace).map(|_| ())),
        XtaskCmd::Screens(_) => bench::screens(workspace),
    }
}
