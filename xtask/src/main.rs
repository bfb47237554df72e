//! `cargo xtask`: one row per command in [`COMMANDS`]; `cargo xtask help` prints them.
//!
//! ```text
//! serve ─┐
//! test  ─┼─> setup ─> site (widget + pages -> target/site) ─> gateway (embeds target/site)
//! build ─┘                        └─> size (budgets)
//! ```

#![allow(clippy::print_stdout, reason = "a command-line tool for people: its output is text on the terminal")]
#![allow(clippy::format_push_string, reason = "short texts, where reading matters more than an allocation")]

mod bench;
mod build;
mod contract;
mod fuzz;
mod lint;
mod npm;
mod oracles;
mod process;
mod serve;
mod setup;
mod site;
mod size;
mod soak;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use workspace::Workspace;

/// A failure is one or more sentences that tell the reader what is wrong and how to go on.
type Outcome<T> = Result<T, String>;

struct Command {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&Workspace, &[String]) -> Outcome<()>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "serve",
        arguments: "[--port 8080] [--shop-port 8081]",
        about: "build everything, start the sandbox gateway and a demo shop, print the shop's address",
        run: serve::run,
    },
    Command {
        name: "test",
        arguments: "[core|gateway|contract|npm|widget|xtask|e2e]",
        about: "run every check and test, the browser's included, or one part of them",
        run: test::run,
    },
    Command {
        name: "build",
        arguments: "[--debug]",
        about: "leave the whole product at target/release/checkout (target/debug/checkout)",
        run: build::run,
    },
    Command {
        name: "npm",
        arguments: "",
        about: "leave the core as an npm package at target/npm",
        run: npm::run,
    },
    Command {
        name: "size",
        arguments: "",
        about: "print what a payer downloads beside its budget; fail when one is broken",
        run: size::run,
    },
    Command {
        name: "bench",
        arguments: "core|npm|gateway [--write]",
        about: "measure beside others, the bare hash, bare inserts; put the tables into docs/validation.md, docs/performance.md",
        run: bench::run,
    },
    Command {
        name: "fuzz",
        arguments: "[--seconds 60] [target…]",
        about: "run every parser of the core, or the named ones, under libFuzzer",
        run: fuzz::run,
    },
    Command {
        name: "soak",
        arguments: "[--seeds 10000] [--seconds N]",
        about: "try the gateway in random worlds, crashes and reorganisations included, beside a model of it",
        run: soak::run,
    },
    Command {
        name: "lint",
        arguments: "",
        about: "check formatting, and clippy for every target",
        run: lint::run,
    },
    Command {
        name: "tidy",
        arguments: "",
        about: "check the invariants of ARCHITECTURE.md that a compiler does not",
        run: tidy::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) = match arguments.split_first() {
        None => ("help", &[][..]),
        Some((name, rest)) => (name.as_str(), rest),
    };
    if matches!(name, "help" | "--help" | "-h") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    if name == serve::ANNOUNCE {
        serve::announce();
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprint!("There is no command `{name}`.\n\n{}", help());
        return ExitCode::from(2);
    };
    if rest.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("cargo xtask {} {}\n    {}", command.name, command.arguments, command.about);
        return ExitCode::SUCCESS;
    }
    match Workspace::find().and_then(|workspace| (command.run)(&workspace, rest)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("\n{sentence}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let mut text = String::from("cargo xtask <command>\n\n");
    for Command { name, arguments, about, .. } in COMMANDS {
        let usage = format!("{name} {arguments}");
        text.push_str(&format!("  {usage:<40} {about}\n"));
    }
    text.push_str("  help                                     print this\n");
    text
}

/// For commands that take no arguments.
fn no_arguments(name: &str, arguments: &[String]) -> Outcome<()> {
    match arguments.first() {
        None => Ok(()),
        Some(extra) => Err(format!("`cargo xtask {name}` takes no arguments, but got `{extra}`.")),
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, help};

    #[test]
    fn help_lists_every_command_once() {
        let help = help();
        for command in COMMANDS {
            let line = format!("\n  {} ", command.name);
            assert_eq!(help.matches(&line).count(), 1, "{}", command.name);
        }
    }
}
