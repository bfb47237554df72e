//! Runs other programs: with visible output, captured, or line by line.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde::de::DeserializeOwned;

use crate::Outcome;

/// The cargo that runs this program, without the environment variables that it sets for this package. Build scripts
/// that read them would run again at each change between `cargo xtask …` and `cargo …`.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs a program with the terminal's input and output; any exit status but success is an error.
pub(crate) fn run(command: &mut Command) -> Outcome<()> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    succeeded(command, status)
}

/// Runs a program without visible output; returns standard output, or both outputs as the error.
pub(crate) fn capture(command: &mut Command) -> Outcome<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| not_started(command, &error))?;
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() {
        return Ok(out);
    }
    Err(format!("`{}` failed ({}):\n{}", shown(command), output.status, (out + &err).trim_end()))
}

/// Runs a program without visible output that prints JSON.
pub(crate) fn json<T: DeserializeOwned>(command: &mut Command) -> Outcome<T> {
    let text = capture(command)?;
    serde_json::from_str(&text)
        .map_err(|error| format!("`{}` printed something else: {error}.", shown(command)))
}

/// Runs a program with visible standard error; passes every line of standard output to `line`.
pub(crate) fn lines(command: &mut Command, mut line: impl FnMut(&str)) -> Outcome<()> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(command, &error))?;
    let stdout = child.stdout.take().expect("standard output was piped above");
    let mut lines = BufReader::new(stdout).split(b'\n');
    let read = lines.try_for_each(|bytes| bytes.map(|bytes| line(&String::from_utf8_lossy(&bytes))));
    let status = read.and_then(|()| child.wait());
    succeeded(command, status.map_err(|error| format!("`{}`: {error}", shown(command)))?)
}

/// Returns the path of a program as the shell would find it; a path is one already.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn succeeded(command: &Command, status: ExitStatus) -> Outcome<()> {
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status}).", shown(command))) }
}

fn not_started(command: &Command, error: &std::io::Error) -> String {
    let program = command.get_program().to_string_lossy();
    match error.kind() {
        ErrorKind::NotFound => format!("`{program}` is not installed, or not on the PATH."),
        _ => format!("`{program}` could not be started: {error}."),
    }
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = [program].into_iter().chain(command.get_args()).map(OsStr::to_string_lossy);
    words.collect::<Vec<_>>().join(" ")
}
