//! A process with all that it starts: ended when it is dropped, and also when the test program is killed.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::{Deref, DerefMut};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// Reads `+GROUP` and `-GROUP`; at the end of the input, however the test program ended, it ends the groups that are left.
const KEEPER: &str = r#"
trap : INT TERM HUP
groups=' '
while read -r line; do
    group=${line#?}
    case $line in
        +*) groups="$groups$group " ;;
        -*) groups="${groups%% $group *} ${groups#* $group }" ;;
    esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
"#;

/// The leader of a process group of its own.
#[derive(Debug)]
pub struct Leashed {
    child: Child,
    is_ended: bool,
}

impl Leashed {
    /// Starts a program.
    ///
    /// # Errors
    /// As [`Command::spawn`].
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        tell_keeper('+', child.id());
        Ok(Self { child, is_ended: false })
    }

    /// Ends the process and all others of its group, and waits for it.
    pub fn end(&mut self) {
        if self.is_ended {
            return;
        }
        self.is_ended = true;
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // The group of a process that has ended by itself can be empty.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
        tell_keeper('-', self.child.id());
    }
}

impl Deref for Leashed {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.child
    }
}

impl DerefMut for Leashed {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Leashed {
    fn drop(&mut self) {
        self.end();
    }
}

/// One keeper serves a test program. It is in a group of its own, so that Ctrl-C does not end it first.
fn tell_keeper(sign: char, group: u32) {
    static KEEPER_INPUT: OnceLock<Mutex<ChildStdin>> = OnceLock::new();
    let input = KEEPER_INPUT.get_or_init(|| {
        let mut keeper = Command::new("sh");
        keeper.args(["-c", KEEPER]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        #[expect(clippy::zombie_processes, reason = "it outlives this program")]
        let keeper = keeper.process_group(0).spawn().expect("sh starts");
        Mutex::new(keeper.stdin.expect("its input is piped"))
    });
    let mut line = String::new();
    writeln!(line, "{sign}{group}").expect("a String takes any text");
    let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
    input.write_all(line.as_bytes()).expect("the keeper reads until this program ends");
}
