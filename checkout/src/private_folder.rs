//! A folder for files that are not finished: only its owner can read it, one process at a time has it, and it is removed
//! with this value. That of a process that was killed stays until the next one.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// The file that a process locks while it has the folder.
const LOCK: &str = "lock";

pub(crate) struct PrivateFolder {
    path: PathBuf,
    is_kept: bool,
    _lock: File,
}

impl PrivateFolder {
    /// Makes the folder, or takes over what a killed process left. Errors are messages for users.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let failed = |error: io::Error| format!("{}: {error}.", path.display());
        let busy = || format!("Another process works in {}: wait for its end.", path.display());
        match make(path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_folder(path) => {}
            Err(error) => return Err(failed(error)),
        }
        let lock = locked(path).map_err(failed)?.ok_or_else(busy)?;
        let folder = Self { path: path.to_owned(), is_kept: false, _lock: lock };
        folder.clear().map_err(failed)?;
        Ok(folder)
    }

    /// Makes a folder with a name of its own, which ends like this.
    pub(crate) fn fresh(parent: &Path, ending: &str) -> Result<Self, String> {
        loop {
            let path = parent.join(format!("{}{ending}", Uuid::new_v4()));
            let failed = |error: io::Error| format!("{}: {error}.", path.display());
            make(&path).map_err(failed)?;
            match locked(&path) {
                Ok(Some(lock)) => return Ok(Self { path, is_kept: false, _lock: lock }),
                // Another process has swept it before it was locked.
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    /// Removes the folders beside `file` that killed processes left, whose names end like this.
    pub(crate) fn sweep(parent: &Path, ending: &str) {
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_ours = entry.file_name().to_string_lossy().ends_with(ending) && path.join(LOCK).is_file();
            if is_ours
                && is_folder(&path)
                && let Ok(Some(_lock)) = locked(&path)
            {
                let _ = fs::remove_dir_all(&path);
            }
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Leaves the folder, emptied, as a mark.
    pub(crate) fn keep(&mut self) {
        self.is_kept = true;
    }

    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name() == LOCK {
                continue;
            }
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = if self.is_kept { self.clear() } else { fs::remove_dir_all(&self.path) };
    }
}

/// Not a link to one.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

fn make(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// `None` if another process has it.
fn locked(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(LOCK);
    let lock = private(OpenOptions::new().create(true)).open(&path)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // The one before may have removed the folder meanwhile.
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let same =
            fs::metadata(&path).is_ok_and(|found| lock.metadata().is_ok_and(|own| own.ino() == found.ino()));
        if !same {
            return Ok(None);
        }
    }
    Ok(Some(lock))
}

/// Options to write a file that only its owner can read.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.write(true)
}

/// Makes the names in a folder last.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// The folder of a file.
pub(crate) fn parent(file: &Path) -> PathBuf {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_has_it_and_nothing_is_left() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("a.restoring");
        let folder = PrivateFolder::open(&path).unwrap();
        fs::write(folder.file("half"), "x").unwrap();
        assert!(PrivateFolder::open(&path).err().unwrap().contains("Another process"));
        PrivateFolder::sweep(outer.path(), ".restoring");
        assert!(path.exists(), "one in use is not swept");
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_fresh_one_is_never_swept_by_those_who_start_at_the_same_time() {
        let outer = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        PrivateFolder::sweep(outer.path(), ".rehearsal");
                        let folder = PrivateFolder::fresh(outer.path(), ".rehearsal").unwrap();
                        fs::write(folder.file("half"), "x").unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_killed_process_left_is_taken_over_or_swept() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("a.restoring");
        let leave = || {
            make(&path).unwrap();
            fs::write(path.join(LOCK), "").unwrap();
            fs::write(path.join("half"), "x").unwrap();
        };
        leave();
        let mut folder = PrivateFolder::open(&path).unwrap();
        assert!(!path.join("half").exists());
        folder.keep();
        fs::write(folder.file("half"), "x").unwrap();
        drop(folder);
        assert!(path.exists() && !path.join("half").exists());
        fs::remove_dir_all(&path).unwrap();
        leave();
        PrivateFolder::sweep(outer.path(), ".restoring");
        assert!(!path.exists());
    }
}
