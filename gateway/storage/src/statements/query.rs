//! A query with its arguments. Both databases number parameters `$1`, `$2`, …. An argument is a text or a 64-bit
//! integer; NULL is bound as one of these types.

use std::borrow::Cow;

use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ports::{StoreError, Stored};
use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe, Postgres, Sqlite};
use uuid::Uuid;

use crate::{On, Row, Transaction, failed};

/// SQL for both databases. The two texts differ only by [`locked`].
#[derive(Clone, Debug)]
pub struct Text {
    pub sqlite: Cow<'static, str>,
    pub postgres: Cow<'static, str>,
}

impl From<&'static str> for Text {
    fn from(sql: &'static str) -> Self {
        Self { sqlite: sql.into(), postgres: sql.into() }
    }
}

impl From<String> for Text {
    fn from(sql: String) -> Self {
        Self { postgres: sql.clone().into(), sqlite: sql.into() }
    }
}

/// Adds a clause for PostgreSQL only, such as `FOR NO KEY UPDATE`, at the end or in the middle of a text. SQLite has a
/// single writer and needs no locks.
macro_rules! locked {
    ($sql:expr, $lock:literal $(, $rest:literal)?) => {
        $crate::Text {
            sqlite: concat!($sql $(, $rest)?).into(),
            postgres: concat!($sql, " ", $lock $(, $rest)?).into(),
        }
    };
}
pub(crate) use locked;

#[derive(Clone, Debug)]
pub enum Value {
    Text(Option<String>),
    Int(Option<i64>),
}

#[derive(Clone, Debug)]
pub struct Query {
    text: Text,
    values: Vec<Value>,
    /// Whether connections cache the prepared statement.
    is_kept: bool,
}

pub fn query(text: impl Into<Text>) -> Query {
    Query { text: text.into(), values: Vec::new(), is_kept: true }
}

impl Query {
    /// Does not cache the prepared statement: a rare statement would evict others.
    #[must_use]
    pub fn once(self) -> Self {
        Self { is_kept: false, ..self }
    }

    #[must_use]
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Binds each of these values.
    #[must_use]
    pub fn bind_all(self, values: impl IntoIterator<Item = impl Into<Value>>) -> Self {
        values.into_iter().fold(self, Self::bind)
    }

    /// Runs the statement and returns the number of rows that it changed.
    pub async fn execute<'a>(self, on: impl Into<On<'a>>) -> Stored<u64> {
        Ok(match on.into() {
            On::SqlitePool(pool) => self.sqlite()?.execute(pool).await.map_err(failed)?.rows_affected(),
            On::Sqlite(connection) => {
                self.sqlite()?.execute(connection).await.map_err(failed)?.rows_affected()
            }
            On::PostgresPool(pool) => self.postgres()?.execute(pool).await.map_err(failed)?.rows_affected(),
            On::Postgres(connection) => {
                self.postgres()?.execute(connection).await.map_err(failed)?.rows_affected()
            }
        })
    }

    /// The same without the number.
    pub async fn run<'a>(self, on: impl Into<On<'a>>) -> Stored<()> {
        self.execute(on).await.map(drop)
    }

    /// Runs a statement about one row. Returns whether it changed it.
    pub async fn changed<'a>(self, on: impl Into<On<'a>>) -> Stored<bool> {
        Ok(self.execute(on).await? == 1)
    }

    /// Whether there is a row.
    pub async fn finds<'a>(self, on: impl Into<On<'a>>) -> Stored<bool> {
        Ok(self.fetch_optional(on).await?.is_some())
    }

    /// All rows, as `read` reads them.
    pub async fn read_all<'a, T, All: FromIterator<T>>(
        self,
        on: impl Into<On<'a>>,
        read: impl Fn(&Row) -> Stored<T>,
    ) -> Stored<All> {
        self.fetch_all(on).await?.iter().map(read).collect()
    }

    /// The first row, as `read` reads it.
    pub async fn read_first<'a, T>(
        self,
        on: impl Into<On<'a>>,
        read: impl FnOnce(&Row) -> Stored<T>,
    ) -> Stored<Option<T>> {
        self.fetch_optional(on).await?.as_ref().map(read).transpose()
    }

    pub async fn fetch_all<'a>(self, on: impl Into<On<'a>>) -> Stored<Vec<Row>> {
        #[cfg(test)]
        recorded::note(&self);
        Ok(match on.into() {
            On::SqlitePool(pool) => rows(self.sqlite()?.fetch_all(pool).await.map_err(failed)?, Row::Sqlite),
            On::Sqlite(connection) => {
                rows(self.sqlite()?.fetch_all(connection).await.map_err(failed)?, Row::Sqlite)
            }
            On::PostgresPool(pool) => {
                rows(self.postgres()?.fetch_all(pool).await.map_err(failed)?, Row::Postgres)
            }
            On::Postgres(connection) => {
                rows(self.postgres()?.fetch_all(connection).await.map_err(failed)?, Row::Postgres)
            }
        })
    }

    pub async fn fetch_optional<'a>(self, on: impl Into<On<'a>>) -> Stored<Option<Row>> {
        Ok(match on.into() {
            On::SqlitePool(pool) => {
                self.sqlite()?.fetch_optional(pool).await.map_err(failed)?.map(Row::Sqlite)
            }
            On::Sqlite(connection) => {
                self.sqlite()?.fetch_optional(connection).await.map_err(failed)?.map(Row::Sqlite)
            }
            On::PostgresPool(pool) => {
                self.postgres()?.fetch_optional(pool).await.map_err(failed)?.map(Row::Postgres)
            }
            On::Postgres(connection) => {
                self.postgres()?.fetch_optional(connection).await.map_err(failed)?.map(Row::Postgres)
            }
        })
    }

    pub async fn fetch_one<'a>(self, on: impl Into<On<'a>>) -> Stored<Row> {
        self.fetch_optional(on).await?.ok_or_else(|| failed(sqlx::Error::RowNotFound))
    }

    /// Runs the query for its locks, on PostgreSQL only.
    pub async fn lock(self, on: &mut Transaction) -> Stored<()> {
        if let Transaction::Postgres(_) = on {
            self.execute(on).await?;
        }
        Ok(())
    }

    fn sqlite(self) -> Stored<sqlx::query::Query<'static, Sqlite, SqliteArguments>> {
        let mut arguments = SqliteArguments::default();
        for value in self.values {
            let added = match value {
                Value::Text(text) => arguments.add(text),
                Value::Int(int) => arguments.add(int),
            };
            added.map_err(StoreError)?;
        }
        let query = match self.text.sqlite {
            Cow::Borrowed(sql) => sqlx::query_with(sql, arguments),
            Cow::Owned(sql) => sqlx::query_with(AssertSqlSafe(sql), arguments),
        };
        Ok(query.persistent(self.is_kept))
    }

    fn postgres(self) -> Stored<sqlx::query::Query<'static, Postgres, PgArguments>> {
        let mut arguments = PgArguments::default();
        for value in self.values {
            let added = match value {
                Value::Text(text) => arguments.add(text),
                Value::Int(int) => arguments.add(int),
            };
            added.map_err(StoreError)?;
        }
        let query = match self.text.postgres {
            Cow::Borrowed(sql) => sqlx::query_with(sql, arguments),
            Cow::Owned(sql) => sqlx::query_with(AssertSqlSafe(sql), arguments),
        };
        Ok(query.persistent(self.is_kept))
    }
}

/// Most parameters of a statement about several rows: SQLite looks each up by its name among all of them.
const PARAMETERS: usize = 120;

/// Divides rows among statements; each row has `columns` parameters.
pub(crate) fn by_statement<T>(rows: &[T], columns: usize) -> std::slice::Chunks<'_, T> {
    rows.chunks(PARAMETERS / columns)
}

/// A statement about `rows` rows with `columns` parameters each. It is cached if it is about one row, or about the number of
/// rows that [`by_statement`] gives.
pub(crate) fn query_rows(text: impl Into<Text>, rows: usize, columns: usize) -> Query {
    if rows == 1 || rows == PARAMETERS / columns { query(text) } else { query(text).once() }
}

/// Returns the parameters of `count` rows of `columns` each: `($1, $2), ($3, $4)`.
pub(crate) fn placeholders(count: usize, columns: usize) -> String {
    let row = |row: usize| {
        let parameters: Vec<String> =
            (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", parameters.join(", "))
    };
    (0..count).map(row).collect::<Vec<_>>().join(", ")
}

/// Returns `count` parameters: `$1, $2`.
pub(crate) fn parameters(count: usize) -> String {
    (1..=count).map(|at| format!("${at}")).collect::<Vec<_>>().join(", ")
}

fn rows<R>(rows: Vec<R>, of: fn(R) -> Row) -> Vec<Row> {
    rows.into_iter().map(of).collect()
}

/// A type of values. NULL has the type of its column.
pub trait ToValue: Sized {
    fn to_value(value: Option<Self>) -> Value;
}

impl<T: ToValue> From<T> for Value {
    fn from(value: T) -> Self {
        T::to_value(Some(value))
    }
}

impl<T: ToValue> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        T::to_value(value)
    }
}

impl From<&Option<String>> for Value {
    fn from(text: &Option<String>) -> Self {
        text.as_ref().into()
    }
}

impl ToValue for String {
    fn to_value(text: Option<Self>) -> Value {
        Value::Text(text)
    }
}

impl ToValue for &String {
    fn to_value(text: Option<Self>) -> Value {
        Value::Text(text.cloned())
    }
}

impl ToValue for &str {
    fn to_value(text: Option<Self>) -> Value {
        Value::Text(text.map(str::to_owned))
    }
}

impl ToValue for Uuid {
    fn to_value(id: Option<Self>) -> Value {
        Value::Text(id.map(|id| id.to_string()))
    }
}

impl ToValue for BusinessId {
    fn to_value(id: Option<Self>) -> Value {
        id.map(|id| id.0).into()
    }
}

impl ToValue for PaymentId {
    fn to_value(id: Option<Self>) -> Value {
        id.map(|id| id.0).into()
    }
}

impl ToValue for i64 {
    fn to_value(int: Option<Self>) -> Value {
        Value::Int(int)
    }
}

impl ToValue for u32 {
    fn to_value(number: Option<Self>) -> Value {
        Value::Int(number.map(i64::from))
    }
}

/// A time or a counter, which is far below 2^63.
impl ToValue for u64 {
    fn to_value(number: Option<Self>) -> Value {
        Value::Int(number.map(|number| i64::try_from(number).unwrap_or(i64::MAX)))
    }
}

/// Flags are stored as 0 or 1.
impl ToValue for bool {
    fn to_value(flag: Option<Self>) -> Value {
        Value::Int(flag.map(i64::from))
    }
}

/// The statements that a test reads with, so that it can ask for their plans.
#[cfg(test)]
pub(crate) mod recorded {
    use std::cell::RefCell;

    use super::{Query, Text};

    tokio::task_local! {
        static ALL: RefCell<Vec<Query>>;
    }

    pub(super) fn note(query: &Query) {
        // Without a recorder, nothing is kept.
        let _ = ALL.try_with(|all| all.borrow_mut().push(query.clone()));
    }

    /// The statements that were run, as `EXPLAIN` takes them.
    pub(crate) async fn plans_of(reading: impl Future<Output = ()>) -> Vec<Query> {
        let read = async {
            reading.await;
            ALL.with(RefCell::take)
        };
        let asked = |query: Query| {
            let text = Text {
                sqlite: format!("EXPLAIN QUERY PLAN {}", query.text.sqlite).into(),
                postgres: format!("EXPLAIN {}", query.text.postgres).into(),
            };
            Query { text, is_kept: false, ..query }
        };
        ALL.scope(RefCell::default(), read).await.into_iter().map(asked).collect()
    }
}
