//! Reading typed values out of a row. A value that no version of ours wrote is an error, not a guess.

use std::str::FromStr;

use checkout_core::{Amount, Decimal, decimal};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::ports::{StoreError, Stored};

pub(super) struct Row(pub(super) SqliteRow);

impl Row {
    pub(super) fn text(&self, column: &str) -> Stored<String> {
        Ok(self.0.try_get(column)?)
    }

    pub(super) fn optional_text(&self, column: &str) -> Stored<Option<String>> {
        Ok(self.0.try_get(column)?)
    }

    pub(super) fn number<T: TryFrom<i64>>(&self, column: &str) -> Stored<T> {
        let value: i64 = self.0.try_get(column)?;
        T::try_from(value).map_err(|_| bad(column))
    }

    pub(super) fn optional_number<T: TryFrom<i64>>(&self, column: &str) -> Stored<Option<T>> {
        let value: Option<i64> = self.0.try_get(column)?;
        value.map(|value| T::try_from(value).map_err(|_| bad(column))).transpose()
    }

    pub(super) fn flag(&self, column: &str) -> Stored<bool> {
        Ok(self.number::<u8>(column)? != 0)
    }

    pub(super) fn parsed<T: FromStr>(&self, column: &str) -> Stored<T> {
        self.text(column)?.parse().map_err(|_| bad(column))
    }

    pub(super) fn optional_parsed<T: FromStr>(&self, column: &str) -> Stored<Option<T>> {
        let text = self.optional_text(column)?;
        text.map(|text| text.parse().map_err(|_| bad(column))).transpose()
    }

    pub(super) fn word<T>(&self, column: &str, known: impl Fn(&str) -> Option<T>) -> Stored<T> {
        known(&self.text(column)?).ok_or_else(|| bad(column))
    }

    pub(super) fn decimal(&self, column: &str) -> Stored<Decimal> {
        decimal::parse(&self.text(column)?, 28).map_err(|_| bad(column))
    }

    pub(super) fn optional_decimal(&self, column: &str) -> Stored<Option<Decimal>> {
        let text = self.optional_text(column)?;
        text.map(|text| decimal::parse(&text, 28).map_err(|_| bad(column))).transpose()
    }

    /// An amount of atomic units.
    pub(super) fn atoms(&self, column: &str) -> Stored<Amount> {
        Amount::parse(&self.text(column)?, 0).map_err(|_| bad(column))
    }

    /// A list of parsed texts with `separator` between them.
    pub(super) fn list<T: FromStr>(&self, column: &str, separator: char) -> Stored<Vec<T>> {
        let text = self.text(column)?;
        let parts = text.split(separator).filter(|part| !part.is_empty());
        parts.map(|part| part.parse().map_err(|_| bad(column))).collect()
    }
}

pub(super) fn bad(column: &str) -> StoreError {
    StoreError(format!("column {column} holds what this version cannot read").into())
}

/// Times and counters are far below 2^63.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
