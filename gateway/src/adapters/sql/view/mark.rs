//! A number in a file beside the database, which every process moves that is about to commit something a view keeps.
//!
//! It is moved under the database's write lock, so that no move is lost, and before the commit, so that a process that
//! dies in between moved it for nothing. Nobody needs it to outlast the machine: no view does.

use std::fs::{File, OpenOptions};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

#[derive(Debug)]
pub(super) struct Mark(File);

impl Mark {
    /// `NAME-mark` beside the very file, whatever links lead to it, as SQLite itself names its files.
    pub(super) fn open(database: &Path) -> io::Result<Self> {
        let mut name = database.canonicalize()?.into_os_string();
        name.push("-mark");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        options.mode(0o600);
        Ok(Self(options.open(name)?))
    }

    /// Zero when nobody ever moved it.
    pub(super) fn read(&self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        match self.0.read_exact_at(&mut bytes, 0) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            Err(error) => Err(error),
            Ok(()) => Ok(u64::from_le_bytes(bytes)),
        }
    }

    pub(super) fn write(&self, mark: u64) -> io::Result<()> {
        self.0.write_all_at(&mark.to_le_bytes(), 0)
    }
}

/// Windows reads and writes at a place by other names.
#[cfg(windows)]
trait At {
    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()>;
    fn write_all_at(&self, bytes: &[u8], at: u64) -> io::Result<()>;
}

#[cfg(windows)]
impl At for File {
    fn read_exact_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        let read = std::os::windows::fs::FileExt::seek_read(self, bytes, at)?;
        if read == bytes.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn write_all_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        let written = std::os::windows::fs::FileExt::seek_write(self, bytes, at)?;
        if written == bytes.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
    }
}
