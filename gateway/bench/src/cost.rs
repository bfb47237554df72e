//! The cost of requests: processor time of the gateway and of PostgreSQL, and bytes written to disk.

use crate::place::{Connection, Place};
use crate::subject::{CUTIME, PPID, micros, processor_micros, stat};

/// Counters so far; the difference of two is a cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    gateway: u64,
    database: u64,
    bytes: u64,
}

/// The cost of one request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Microseconds of processor time.
    pub(crate) gateway: f64,
    pub(crate) database: f64,
    /// Written to the disk: the log of PostgreSQL, or everything that the gateway writes on SQLite.
    pub(crate) bytes: f64,
}

impl Cost {
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { gateway: self.gateway * factor, database: self.database * factor, bytes: self.bytes * factor }
    }

    pub(crate) fn less(self, other: Self) -> Self {
        let left = |of: f64, less: f64| (of - less).max(0.0);
        Self {
            gateway: left(self.gateway, other.gateway),
            database: left(self.database, other.database),
            bytes: left(self.bytes, other.bytes),
        }
    }
}

impl Counters {
    pub(crate) async fn read(place: &Place, connection: &mut Connection, gateways: &[u32]) -> Self {
        let gateway = gateways.iter().filter_map(|process| processor_micros(*process)).sum();
        let (database, bytes) = match place {
            Place::Sqlite(_) => (0, gateways.iter().map(|process| written(*process)).sum()),
            Place::Postgres(server) => {
                let file = std::fs::read_to_string(server.folder().join("data/postmaster.pid")).unwrap();
                let postmaster = file.lines().next().unwrap().parse().unwrap();
                let log = "SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint";
                (family_micros(postmaster), connection.number(log).await)
            }
        };
        Self { gateway, database, bytes }
    }

    /// The cost of each of `count` requests since `before`.
    #[expect(clippy::cast_precision_loss, reason = "means")]
    pub(crate) fn each(self, before: Self, count: usize) -> Cost {
        let each = |now: u64, before: u64| now.saturating_sub(before) as f64 / count.max(1) as f64;
        Cost {
            gateway: each(self.gateway, before.gateway),
            database: each(self.database, before.database),
            bytes: each(self.bytes, before.bytes),
        }
    }
}

/// The processor time of a process, its children that live and those that ended.
fn family_micros(parent: u32) -> u64 {
    let children = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let process: u32 = entry.file_name().to_str()?.parse().ok()?;
        (stat(process)?.get(PPID)?.parse::<u32>().ok()? == parent).then_some(process)
    });
    let living: u64 = children.filter_map(processor_micros).sum();
    let fields = stat(parent).unwrap_or_default();
    let ended: u64 = [CUTIME, CUTIME + 1].iter().filter_map(|at| micros(&fields, *at)).sum();
    living + ended + processor_micros(parent).unwrap_or(0)
}

/// Bytes that a process wrote to disks.
fn written(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/io")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    line.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}
