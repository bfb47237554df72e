//! Test databases, and queries that bypass the ports.

use std::path::PathBuf;

use checkout_test_postgres::slowness;
use tempfile::TempDir;

use crate::connections::{postgres, sqlite};
use crate::{Database, Row, query};

/// The location of a test database. A folder is deleted after the test, a schema with its server.
#[derive(Debug)]
pub(crate) enum TestDatabase {
    Sqlite(TempDir),
    Postgres(String),
}

impl TestDatabase {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    pub(crate) fn postgres() -> Self {
        Self::Postgres(checkout_test_postgres::schema())
    }

    /// An empty one of the same kind.
    #[cfg(test)]
    pub(crate) fn another(&self) -> Self {
        match self {
            Self::Sqlite(_) => Self::sqlite(),
            Self::Postgres(_) => Self::postgres(),
        }
    }

    pub(crate) async fn open(&self) -> Database {
        match self {
            Self::Sqlite(folder) => sqlite::open_with_patience(&file(folder), slowness()).await.unwrap(),
            Self::Postgres(url) => postgres::open_with_patience(url, slowness()).await.unwrap(),
        }
    }
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("checkout.db")
}

impl Database {
    /// Returns all rows of a query, with every column as text.
    pub(crate) async fn texts(&self, sql: impl Into<super::Text>) -> Vec<Vec<Option<String>>> {
        let rows = query(sql).fetch_all(&self.readers).await.unwrap();
        rows.iter().map(texts).collect()
    }

    /// Returns the single number of a query.
    pub(crate) async fn count(&self, sql: impl Into<super::Text>) -> i64 {
        let row = query(sql).fetch_one(&self.readers).await.unwrap();
        row.number(&row.columns()[0]).unwrap()
    }
}

fn texts(row: &Row) -> Vec<Option<String>> {
    row.columns().iter().map(|column| row.optional_text(column).unwrap()).collect()
}
