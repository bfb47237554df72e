//! A server in a temporary folder, on a socket in that folder.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::programs;

/// How long a start may take on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Keeps the server until standard input ends, which it does however the test program ends; then leaves nothing behind.
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
    /// A server for tests: it waits for no disk. That loses what is committed when the machine dies, not when a program does.
    ///
    /// # Panics
    /// When a program is missing or fails; it says which and why.
    pub fn start() -> Self {
        Self::start_with(&["-c", "fsync=off", "-c", "full_page_writes=off"])
    }

    /// A server as in production, for measurements: what is committed is on the disk.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    pub fn start_durable() -> Self {
        Self::start_with(&[])
    }

    fn start_with(settings: &[&str]) -> Self {
        let (folder, user) = private_folder();
        // A collation that is not the order of bytes, as on most servers: what sorts by it would be found out.
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

    /// A server that follows this one. From then on this one acknowledges a commit after both have it on the disk.
    ///
    /// # Panics
    /// As [`start`](Self::start).
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
            assert!(started.elapsed() < TIMEOUT, "the standby does not follow");
            std::thread::sleep(Duration::from_millis(20));
        }
        standby
    }

    /// Makes a standby the primary.
    ///
    /// # Panics
    /// When it does not become one.
    pub fn promote(&self) {
        assert_eq!(crate::sql(&self.url, "SELECT pg_promote(true, 60)"), "t");
    }

    /// Kills every process of the server at once, as when its machine dies.
    ///
    /// # Panics
    /// When the server does not run.
    pub fn kill(&self) {
        let file =
            std::fs::read_to_string(self.folder.join("data/postmaster.pid")).expect("a server that runs");
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

    /// Its user may do everything.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its folder, which is also that of its socket.
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
            assert!(started.elapsed() < TIMEOUT, "PostgreSQL does not start: {}", log());
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

/// A folder of the user that servers run as.
fn private_folder() -> (tempfile::TempDir, Option<(u32, u32)>) {
    let folder = tempfile::Builder::new().prefix("checkout-postgres-").tempdir().expect("a temporary folder");
    let user = unprivileged();
    if let Some((user, group)) = user {
        chown(folder.path(), Some(user), Some(group)).expect("root gives a folder away");
    }
    (folder, user)
}

/// PostgreSQL refuses to run as root: the user and group that it runs as instead.
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
