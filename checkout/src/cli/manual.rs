//! Shell completions and the manual page, generated from the command line definition.

use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Arguments, Outcome, answer};

#[derive(Debug, Args)]
pub(super) struct Completions {
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "checkout", &mut script);
        print(&script)
    }
}

/// One page: the program, then every command with its flags.
pub(super) fn man() -> Outcome {
    let mut page = Vec::new();
    let rendered = render(&Arguments::command(), &mut page);
    rendered.map_err(|error| format!("The manual page cannot be written: {error}."))?;
    print(&page)
}

fn render(command: &clap::Command, page: &mut Vec<u8>) -> std::io::Result<()> {
    let mut program = command.clone();
    program.build();
    clap_mangen::Man::new(program.clone()).render(page)?;
    render_commands(&program, page)
}

fn render_commands(parent: &clap::Command, page: &mut Vec<u8>) -> std::io::Result<()> {
    for command in parent.get_subcommands().filter(|command| command.get_name() != "help") {
        if command.has_subcommands() {
            render_commands(command, page)?;
            continue;
        }
        let heading = command.get_bin_name().unwrap_or(command.get_name()).to_ascii_uppercase();
        page.extend(format!(".SH \"{heading}\"\n").bytes());
        let section = clap_mangen::Man::new(command.clone());
        section.render_description_section(page)?;
        section.render_options_section(page)?;
    }
    Ok(())
}

fn print(bytes: &[u8]) -> Outcome {
    answer(String::from_utf8_lossy(bytes).trim_end())?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_page_names_every_command_and_flag() {
        let mut page = Vec::new();
        render(&Arguments::command(), &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        for expected in [
            ".TH checkout 1",
            ".SH \"CHECKOUT SERVE\"",
            ".SH \"CHECKOUT BUSINESS CREATE\"",
            ".SH \"CHECKOUT FLAGGED REFUSE\"",
            "\\-\\-settlement\\-ratio",
            "\\-\\-rates\\-url",
        ] {
            assert!(page.contains(expected), "{expected} in\n{page}");
        }
    }

    /// `serve` prints one JSON line as it is, `completions` and `man` print files.
    #[test]
    fn every_command_that_prints_has_json() {
        fn check(command: &clap::Command, path: &str) {
            let path = format!("{path} {}", command.get_name());
            let has_json = command.get_arguments().any(|argument| argument.get_id() == "json");
            let prints = !command.has_subcommands()
                && !["serve", "completions", "man", "help"].contains(&command.get_name());
            assert_eq!(has_json, prints, "{path}");
            command.get_subcommands().for_each(|command| check(command, &path));
        }
        check(&Arguments::command(), "");
    }

    #[test]
    fn completions_include_the_commands() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "checkout", &mut script);
            let script = String::from_utf8(script).unwrap();
            assert!(script.contains("organisation-key") && script.contains("deposit-callback"), "{shell}");
        }
    }
}
