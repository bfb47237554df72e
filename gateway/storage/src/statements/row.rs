//! Typed access to the columns of a row. An unknown value is an error.

use std::str::FromStr;

use checkout_core::{Amount, Decimal, decimal};
use checkout_domain::ports::{StoreError, Stored};
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Column as _, Row as _, TypeInfo as _};

use crate::failed;

pub enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    pub fn text(&self, column: &str) -> Stored<String> {
        self.optional_text(column)?.ok_or_else(|| bad(column))
    }

    pub fn optional_text(&self, column: &str) -> Stored<Option<String>> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column).map_err(failed)?,
            Self::Postgres(row) => row.try_get(column).map_err(failed)?,
        })
    }

    pub fn columns(&self) -> Vec<String> {
        match self {
            Self::Sqlite(row) => row.columns().iter().map(|column| column.name().to_owned()).collect(),
            Self::Postgres(row) => row.columns().iter().map(|column| column.name().to_owned()).collect(),
        }
    }

    fn optional_int(&self, column: &str) -> Stored<Option<i64>> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column).map_err(failed)?,
            // Flags have the type INTEGER, which is 32 bits in PostgreSQL.
            Self::Postgres(row) if row.try_column(column).map_err(failed)?.type_info().name() == "INT4" => {
                row.try_get::<Option<i32>, _>(column).map_err(failed)?.map(i64::from)
            }
            Self::Postgres(row) => row.try_get(column).map_err(failed)?,
        })
    }

    pub fn number<T: TryFrom<i64>>(&self, column: &str) -> Stored<T> {
        self.optional_number(column)?.ok_or_else(|| bad(column))
    }

    pub fn optional_number<T: TryFrom<i64>>(&self, column: &str) -> Stored<Option<T>> {
        let value = self.optional_int(column)?;
        value.map(|value| T::try_from(value).map_err(|_| bad(column))).transpose()
    }

    pub fn flag(&self, column: &str) -> Stored<bool> {
        Ok(self.number::<u8>(column)? != 0)
    }

    pub fn parsed<T: FromStr>(&self, column: &str) -> Stored<T> {
        self.text(column)?.parse().map_err(|_| bad(column))
    }

    pub fn optional_parsed<T: FromStr>(&self, column: &str) -> Stored<Option<T>> {
        let text = self.optional_text(column)?;
        text.map(|text| text.parse().map_err(|_| bad(column))).transpose()
    }

    pub fn word<T>(&self, column: &str, known: impl Fn(&str) -> Option<T>) -> Stored<T> {
        known(&self.text(column)?).ok_or_else(|| bad(column))
    }

    pub fn decimal(&self, column: &str) -> Stored<Decimal> {
        decimal::parse(&self.text(column)?, 28).map_err(|_| bad(column))
    }

    pub fn optional_decimal(&self, column: &str) -> Stored<Option<Decimal>> {
        let text = self.optional_text(column)?;
        text.map(|text| decimal::parse(&text, 28).map_err(|_| bad(column))).transpose()
    }

    /// Reads an amount in atomic units.
    pub fn atoms(&self, column: &str) -> Stored<Amount> {
        Amount::parse(&self.text(column)?, 0).map_err(|_| bad(column))
    }

    pub fn optional_atoms(&self, column: &str) -> Stored<Option<Amount>> {
        let text = self.optional_text(column)?;
        text.map(|text| Amount::parse(&text, 0).map_err(|_| bad(column))).transpose()
    }

    /// Reads a list of values that are separated by `separator`.
    pub fn list<T: FromStr>(&self, column: &str, separator: char) -> Stored<Vec<T>> {
        let text = self.text(column)?;
        let parts = text.split(separator).filter(|part| !part.is_empty());
        parts.map(|part| part.parse().map_err(|_| bad(column))).collect()
    }
}

pub fn bad(column: &str) -> StoreError {
    StoreError(format!("column {column} holds what this version cannot read").into())
}

/// Converts a time or a counter, which is far below 2^63.
pub fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
