//! A query with its arguments. Both databases number parameters `$1`, `$2`, …. An argument is a text or a 64-bit
//! integer; NULL is bound as one of these types.

use std::borrow::Cow;

use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ports::{StoreError, Stored};
use serde::Serialize;
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

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Value {
    Text(Option<String>),
    Int(Option<i64>),
}

#[derive(Clone, Debug)]
pub struct Query {
    text: Text,
    values: Vec<Value>,
    /// The last parameters of a statement about rows; see [`query_rows`].
    rows: Option<Vec<Vec<Value>>>,
    /// Whether connections cache the prepared statement.
    is_kept: bool,
}

pub fn query(text: impl Into<Text>) -> Query {
    Query { text: text.into(), values: Vec::new(), rows: None, is_kept: true }
}

impl Query {
    /// Does not cache the prepared statement: a rare statement would evict others.
    #[must_use]
    pub fn once(self) -> Self {
        Self { is_kept: false, ..self }
    }

    /// Locks the rows that it reads, on PostgreSQL.
    #[must_use]
    pub(crate) fn locking(mut self) -> Self {
        self.text.postgres.to_mut().push_str(" FOR NO KEY UPDATE");
        self
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

    /// A statement about no rows is not sent.
    fn is_about_nothing(&self) -> bool {
        self.rows.as_ref().is_some_and(Vec::is_empty)
    }

    /// Runs the statement and returns the number of rows that it changed.
    pub async fn execute<'a>(self, on: impl Into<On<'a>>) -> Stored<u64> {
        if self.is_about_nothing() {
            return Ok(0);
        }
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
        if self.is_about_nothing() {
            return Ok(Vec::new());
        }
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
        if self.is_about_nothing() {
            return Ok(None);
        }
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
        if let Some(rows) = &self.rows {
            let rows = serde_json::to_string(rows).map_err(|error| StoreError(error.into()))?;
            arguments.add(rows).map_err(StoreError)?;
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
        let mut rows = self.rows.unwrap_or_default();
        for column in 0..rows.first().map_or(0, Vec::len) {
            let (mut texts, mut ints) = (Vec::new(), Vec::new());
            for row in &mut rows {
                match &mut row[column] {
                    Value::Text(text) => texts.push(text.take()),
                    Value::Int(int) => ints.push(*int),
                }
            }
            let added = if ints.is_empty() { arguments.add(texts) } else { arguments.add(ints) };
            added.map_err(StoreError)?;
        }
        let query = match self.text.postgres {
            Cow::Borrowed(sql) => sqlx::query_with(sql, arguments),
            Cow::Owned(sql) => sqlx::query_with(AssertSqlSafe(sql), arguments),
        };
        Ok(query.persistent(self.is_kept))
    }
}

/// A statement about rows of values; its text is the same for any number of rows. It gets the table `new` with the columns
/// `column1`, `column2`, …, made of the last parameters: an array for each column on PostgreSQL, all rows as JSON on SQLite.
pub(crate) fn query_rows(given: Vec<Value>, rows: Vec<Vec<Value>>, text: impl Fn(&str) -> String) -> Query {
    let (first, width) = (given.len() + 1, rows.first().map_or(0, Vec::len));
    let list = |part: &dyn Fn(usize) -> String| (0..width).map(part).collect::<Vec<_>>().join(", ");
    let values = list(&|at| format!("value ->> {at} AS column{}", at + 1));
    let rows_of_json = format!("list AS MATERIALIZED (SELECT value FROM json_each(${first}))");
    let json = format!("(WITH {rows_of_json} SELECT {values} FROM list) AS new");
    let arrays = list(&|at| format!("${}", first + at));
    let arrays = format!("UNNEST({arrays}) AS new ({})", list(&|at| format!("column{}", at + 1)));
    let text = Text { sqlite: text(&json).into(), postgres: text(&arrays).into() };
    Query { text, values: given, rows: Some(rows), is_kept: true }
}

/// A statement about a list of texts. Its text gets the condition that a column is one of them: the last parameter.
pub(crate) fn query_list(
    given: Vec<Value>,
    list: impl IntoIterator<Item = impl Into<Value>>,
    text: impl Fn(&str) -> String,
) -> Query {
    let (place, list) = (given.len() + 1, Vec::from_iter(list));
    if list.len() == 1 {
        return query(text(&format!("= ${place}"))).bind_all(given).bind_all(list);
    }
    let json = format!("IN (SELECT value ->> 0 FROM json_each(${place}))");
    let text = Text { sqlite: text(&json).into(), postgres: text(&format!("= ANY(${place})")).into() };
    let rows = list.into_iter().map(|value| vec![value.into()]).collect();
    Query { text, values: given, rows: Some(rows), is_kept: true }
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
