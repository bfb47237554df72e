//! Gives a prepared database its name, and sets the one aside that has it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use checkout_domain::fail_point;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_storage::restore::{DatabaseUse, release};

use crate::cli::failed;
use crate::private_folder::{parent, sync_folder};

/// The files that SQLite keeps beside a database: it would read them into a new one of the same name.
const LOGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Refuses to replace what is there unless it was asked for.
pub(super) fn check_vacant(target: &Path, is_replaced: bool) -> Result<(), String> {
    let there = [""].iter().chain(&LOGS).map(|ending| with(target, ending)).find(|path| path.exists());
    match there {
        Some(path) if !is_replaced => {
            Err(format!("{} already exists and is not overwritten. --replace sets it aside.", path.display()))
        }
        _ => Ok(()),
    }
}

/// Returns where the old database is now.
pub(super) async fn put(prepared: &Path, target: &Path) -> Result<Option<PathBuf>, String> {
    let at = |error: io::Error| format!("{}: {error}.", target.display());
    if let Some(log) = LOGS.iter().map(|ending| with(prepared, ending)).find(|log| log.exists()) {
        return Err(format!("{} is still there: the database was not closed.", log.display()));
    }
    File::open(prepared).and_then(|file| file.sync_all()).map_err(at)?;
    fail_point::reach("restore");
    let aside = free(target).await?;
    let mut moved = Vec::new();
    let put = (|| {
        if let Some(aside) = &aside {
            // The logs first: a database without its log must not be found under its name.
            for ending in LOGS.iter().rev().chain(&[""]) {
                let (from, to) = (with(target, ending), with(aside, ending));
                if from.exists() {
                    fs::rename(&from, &to)?;
                    moved.push((from, to));
                    fail_point::reach("restore");
                }
            }
        }
        fs::rename(prepared, target)
    })();
    if let Err(error) = put {
        for (from, to) in moved.into_iter().rev() {
            let _ = fs::rename(to, from);
        }
        return Err(at(error));
    }
    fail_point::reach("restore");
    sync_folder(&parent(target)).map_err(at)?;
    fail_point::reach("restore");
    Ok(aside)
}

/// Makes sure that nobody has the old database open. Returns its new name, if there is one.
async fn free(target: &Path) -> Result<Option<PathBuf>, String> {
    let is_there = |path: &Path| [""].iter().chain(&LOGS).any(|ending| with(path, ending).exists());
    if !is_there(target) {
        return Ok(None);
    }
    if target.exists() && release(target).await.map_err(failed)? == DatabaseUse::InUse {
        return Err(format!("{} is in use: stop the gateway, and run this command again.", target.display()));
    }
    fail_point::reach("restore");
    let now = SystemClock.now();
    let mut names = (now..).map(|number| with(target, &format!(".replaced-{number}")));
    Ok(names.find(|path| !is_there(path)))
}

fn with(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
