//! A reader's folder and terminals.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use checkout_test_support::patience;
use parking_lot::Mutex;
use tempfile::TempDir;

use crate::support::places;
use crate::support::wait::LOOK;

/// A folder in which `checkout` is on the `PATH`.
pub(super) struct Reader {
    folder: TempDir,
}

/// A command that runs until it is dropped, and what it has printed.
pub(super) struct Terminal {
    process: Child,
    printed: Arc<Mutex<String>>,
}

impl Reader {
    pub(super) fn new() -> Self {
        let folder = TempDir::with_prefix("checkout-reader-").expect("the temporary folder is writable");
        symlink(places::gateway(), folder.path().join("checkout")).expect("a link is made");
        Self { folder }
    }

    pub(super) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn save(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("the folder is writable");
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs a command to its end; returns what it printed.
    pub(super) fn run(&self, command: &str, variables: &[(&str, &str)]) -> String {
        let output = self.shell(command, variables).output().expect("a shell is on every Unix");
        let (printed, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command}\n{printed}\n{errors}");
        printed.into_owned()
    }

    pub(super) fn start(&self, command: &str, variables: &[(&str, &str)]) -> Terminal {
        let mut command = self.shell(&format!("exec {command}"), variables);
        let mut process = command.stdout(Stdio::piped()).spawn().expect("a shell is on every Unix");
        let output = BufReader::new(process.stdout.take().expect("its output is piped"));
        let printed = Arc::new(Mutex::new(String::new()));
        let all = Arc::clone(&printed);
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                all.lock().push_str(&(line + "\n"));
            }
        });
        Terminal { process, printed }
    }

    fn shell(&self, command: &str, variables: &[(&str, &str)]) -> Command {
        let path = std::env::var("PATH").expect("there is a path");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", Path::new(self.folder.path()).display()))
            .envs(variables.iter().copied())
            .stdin(Stdio::null());
        shell
    }
}

impl Terminal {
    /// Waits for a line with this text; returns the line.
    pub(super) fn until(&self, text: &str) -> String {
        let deadline = Instant::now() + patience();
        loop {
            let printed = self.printed.lock().clone();
            if let Some(line) = printed.lines().find(|line| line.contains(text)) {
                return line.to_owned();
            }
            assert!(Instant::now() < deadline, "It has not printed {text:?}:\n{printed}");
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
