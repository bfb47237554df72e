//! The manifest of a backup: a JSON file beside it, `FILE.json`, which says what the file has to be.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use checkout_domain::fail_point;
use checkout_storage::restore::{Copied, Inspection};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::private_folder::private;

/// The only form so far.
const FORMAT: u64 = 1;

/// Bytes of one read.
const CHUNK: usize = 32_768;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    format: u64,
    /// Size of the file.
    bytes: u64,
    /// In hexadecimal, as `sha256sum` prints it.
    sha256: String,
    /// Seconds since 1970.
    pub(crate) created_at: u64,
    /// Version of the program.
    version: String,
    /// The newest migration of the database.
    schema: u64,
    payments: u64,
    deposits: u64,
    callbacks: u64,
}

/// Size and checksum of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    bytes: u64,
    sha256: String,
}

impl Manifest {
    pub(crate) fn new(sum: Sum, copied: Copied, created_at: u64) -> Self {
        let Sum { bytes, sha256 } = sum;
        let Copied { payments, deposits, callbacks, schema } = copied;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { format: FORMAT, bytes, sha256, created_at, version, schema, payments, deposits, callbacks }
    }

    /// Errors are messages for users.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read(path).map_err(|error| format!("The manifest {}: {error}.", path.display()))?;
        let wrong = |error: serde_json::Error| format!("The manifest {} is wrong: {error}.", path.display());
        let value: serde_json::Value = serde_json::from_slice(&text).map_err(wrong)?;
        if value["format"].as_u64().is_some_and(|format| format > FORMAT) {
            return Err(format!("The manifest {} was written by a newer version.", path.display()));
        }
        serde_json::from_value(value).map_err(wrong)
    }

    /// Writes a file that must not exist, to disk.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = private(fs::OpenOptions::new().create_new(true)).open(path)?;
        file.write_all(serde_json::to_string_pretty(self).map_err(io::Error::other)?.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()
    }

    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Why a file is not this one, as the end of a sentence.
    pub(crate) fn fault(&self, sum: &Sum) -> Option<String> {
        if sum.bytes != self.bytes {
            return Some(format!("is not complete: it has {} of {} bytes", sum.bytes, self.bytes));
        }
        (sum.sha256 != self.sha256).then(|| {
            format!("is not what its manifest describes: its SHA-256 is {}, not {}", sum.sha256, self.sha256)
        })
    }

    /// Why a database is not this one. A migration may bring rows back (0012), and loses none.
    pub(crate) fn fault_in(&self, found: &Inspection) -> Option<String> {
        let counts = [
            ("payments", self.payments, found.payments),
            ("deposits", self.deposits, found.deposits),
            ("callbacks", self.callbacks, found.callbacks),
        ];
        let wrong = counts.into_iter().find(|(_, expected, found)| expected > found);
        wrong
            .map(|(what, expected, found)| format!("The manifest has {expected} {what}, the backup {found}."))
    }
}

/// The manifest's file of a backup.
pub(crate) fn path_of(backup: &Path) -> PathBuf {
    let mut name = backup.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// Copies to a file that must not exist, to disk, and sums what was read.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<Sum> {
    let mut target = private(fs::OpenOptions::new().create_new(true)).open(to)?;
    let sum = read(from, |chunk| {
        target.write_all(chunk)?;
        fail_point::reach("restore");
        Ok(())
    })?;
    target.sync_all()?;
    Ok(sum)
}

pub(crate) fn sum(file: &Path) -> io::Result<Sum> {
    read(file, |_| Ok(()))
}

fn read(file: &Path, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<Sum> {
    let (mut file, mut hash, mut bytes) = (fs::File::open(file)?, Sha256::new(), 0);
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hash.update(&buffer[..read]);
        bytes += read as u64;
        each(&buffer[..read])?;
    }
    let sha256 = hex::encode(hash.finalize());
    Ok(Sum { bytes, sha256 })
}

/// Creates an empty file.
pub(crate) fn create(path: &Path) -> io::Result<()> {
    private(fs::OpenOptions::new().create_new(true)).open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use checkout_storage::restore::{Copied, Inspection};

    use super::{Manifest, Sum};

    #[test]
    fn a_migration_may_bring_payments_back_and_loses_none() {
        let sum = Sum { bytes: 1, sha256: String::new() };
        let manifest = Manifest::new(sum, Copied { payments: 2, deposits: 1, callbacks: 0, schema: 11 }, 0);
        let check = |(payments, deposits, callbacks), expected: Option<&str>| {
            let found = Inspection { payments, deposits, callbacks, ..Inspection::default() };
            assert_eq!(manifest.fault_in(&found).as_deref(), expected);
        };
        check((2, 1, 0), None);
        check((7, 4, 4), None);
        check((1, 4, 4), Some("The manifest has 2 payments, the backup 1."));
        check((7, 0, 4), Some("The manifest has 1 deposits, the backup 0."));
    }
}
