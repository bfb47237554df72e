//! Connections to SQLite and to PostgreSQL.

pub(crate) mod connection;
pub(crate) mod file_guard;
pub(crate) mod local_readers;
pub(crate) mod poll_pool;
pub(crate) mod polls;
pub mod postgres;
pub mod sqlite;
pub(crate) mod time_limits;
pub(crate) mod watch;
