//! The sandbox's own tables, in the gateway's database.

mod chains;
pub mod deliveries;

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use checkout_core::Network;
use checkout_storage::Database;
use checkout_storage::migrations::{Schema, Sql};
use uuid::Uuid;

/// The tables that only a sandbox has.
pub(crate) const SCHEMA: Schema = Schema {
    applied: "sandbox_migrations",
    migrations: &[
        (1, "sandbox", Sql::both(include_str!("storage/migrations/0001_sandbox.sql"))),
        (2, "no events", Sql::both("DROP TABLE console_events")),
        (3, "moved", Sql::both("ALTER TABLE sim_transfers ADD COLUMN left_at BIGINT NOT NULL DEFAULT 0")),
        (4, "hostile", Sql::both(include_str!("storage/migrations/0004_hostile.sql"))),
    ],
};

/// The gateway's database, and how many deliveries this process received.
#[derive(Clone, Debug)]
pub struct Storage(pub Database, Arc<AtomicU32>);

impl Storage {
    pub fn new(database: Database) -> Self {
        Self(database, Arc::default())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainState {
    pub network: Network,
    pub height: u64,
    /// Number of unconfirmed transfers.
    pub pending: u64,
}

/// Sorts after every UUID.
const END: &str = "z";

fn before(id: Option<Uuid>) -> String {
    id.map_or_else(|| END.to_owned(), |id| id.to_string())
}
