//! A server in a temporary folder, with a socket in that folder.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use checkout_test_support::patience;

use crate::programs;

/// A watchdog that stops the server and removes its folder when standard input closes, which happens however
/// the test program ends.
const KEEPER: &str = r#"
trap : INT TERM
program=$0 folder=$1
shift
"$program" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=400 "$@" >"$folder/log" 2>&1 &
server=$!
cat >/dev/null
kill -QUIT $server 2>/dev/null
wait $server
rm -rf "$folder"
"#;

/// Runs until it is dropped, or the program ends.
#[derive(Debug)]
pub struct Server {
    keeper: Child,
    folder: PathBuf,
    url: String,
}

impl Server {
    /// Starts a server for tests with fsync off: committed data survives a crash of the program, but not of
    /// the machine.
    ///
    /// # Panics
    /// Panics if a program is missing or fails, with the reason.
    pub fn start() -> Self {
        Self::start_with(&["-c", "fsync=off", "-c", "full_page_writes=off"])
    }

    /// Starts a server as in production, for benchmarks: commits are durable.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    pub fn start_durable() -> Self {
        Self::start_with(&[])
    }

    fn start_with(settings: &[&str]) -> Self {
        let (folder, user) = private_folder();
        // A collation other than byte order, as on most servers, to detect code that relies on it.
        let made = as_user(&programs::find("initdb"), user)
            .args([
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-sync",
                "--no-instructions",
            ])
            .args(["--locale=C", "--locale-provider=icu", "--icu-locale=en-US", "--pgdata"])
            .arg(folder.path().join("data"))
            .current_dir(folder.path())
            .output()
            .expect("initdb starts");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        Self::keep(folder.keep(), user, settings)
    }

    /// Starts a standby of this server. From then on this server acknowledges a commit once both have it on
    /// disk.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    #[must_use]
    pub fn start_standby(&self) -> Self {
        let (folder, user) = private_folder();
        let copied = as_user(&programs::find("pg_basebackup"), user)
            .args([
                "--username=postgres",
                "--checkpoint=fast",
                "--write-recovery-conf",
                "--no-sync",
                "--host",
            ])
            .arg(&self.folder)
            .arg("--pgdata")
            .arg(folder.path().join("data"))
            .current_dir(folder.path())
            .output()
            .expect("pg_basebackup starts");
        assert!(copied.status.success(), "pg_basebackup: {}", String::from_utf8_lossy(&copied.stderr));
        let standby = Self::keep(folder.keep(), user, &[]);
        crate::sql(&self.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
        crate::sql(&self.url, "SELECT pg_reload_conf()");
        let started = Instant::now();
        while crate::sql(&self.url, "SELECT sync_state FROM pg_stat_replication") != "sync" {
            assert!(started.elapsed() < patience(), "the standby does not replicate");
            std::thread::sleep(Duration::from_millis(20));
        }
        standby
    }

    /// Promotes a standby to primary.
    ///
    /// # Panics
    /// Panics if the promotion fails.
    pub fn promote(&self) {
        assert_eq!(crate::sql(&self.url, "SELECT pg_promote(true, 60)"), "t");
    }

    /// Kills every process of the server at once, like a machine failure.
    ///
    /// # Panics
    /// Panics if the server is not running.
    pub fn kill(&self) {
        let file =
            std::fs::read_to_string(self.folder.join("data/postmaster.pid")).expect("the server is running");
        let postmaster = file.lines().next().unwrap_or_default().to_owned();
        let listed =
            Command::new("ps").args(["-o", "pid=", "--ppid", &postmaster]).output().expect("ps starts");
        let children = String::from_utf8_lossy(&listed.stdout).into_owned();
        let killed =
            Command::new("kill").args(["-KILL", &postmaster]).args(children.split_whitespace()).status();
        assert!(killed.is_ok(), "kill starts");
    }

    fn keep(folder: PathBuf, user: Option<(u32, u32)>, settings: &[&str]) -> Self {
        let keeper = as_user(Path::new("sh"), user)
            .args(["-c", KEEPER])
            .arg(programs::find("initdb").with_file_name("postgres"))
            .arg(&folder)
            .args(settings)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("sh starts");
        let url = format!("postgres://postgres@localhost/postgres?host={}", folder.display());
        let server = Self { keeper, folder, url };
        server.wait_until_ready();
        server
    }

    /// Its user is a superuser.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its folder, which also contains the socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn wait_until_ready(&self) {
        let (started, is_ready) = (Instant::now(), programs::find("pg_isready"));
        loop {
            let asked = Command::new(&is_ready).args(["--quiet", "--dbname", &self.url]).status();
            if asked.expect("pg_isready starts").success() {
                return;
            }
            let log = || std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(started.elapsed() < patience(), "PostgreSQL did not start: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// A folder owned by the user that runs the server.
fn private_folder() -> (tempfile::TempDir, Option<(u32, u32)>) {
    let folder = tempfile::Builder::new().prefix("checkout-postgres-").tempdir().expect("a temporary folder");
    let user = unprivileged();
    if let Some((user, group)) = user {
        chown(folder.path(), Some(user), Some(group)).expect("root gives a folder away");
    }
    (folder, user)
}

/// PostgreSQL refuses to run as root: returns the user and group to use instead.
fn unprivileged() -> Option<(u32, u32)> {
    let id = |arguments: &[&str]| -> Option<u32> {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if id(&["-u"]) != Some(0) {
        return None;
    }
    let of = |user: &str| Some((id(&["-u", user])?, id(&["-g", user])?));
    Some(of("postgres").or_else(|| of("nobody")).expect("a system has the user nobody"))
}

fn as_user(program: &Path, user: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    if let Some((user, group)) = user {
        command.uid(user).gid(group);
    }
    command
}
