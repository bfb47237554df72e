//! The columns of a table, each in one place: its name, the value that is written, and how it is read. The statements that insert
//! and change rows come from this list.

use std::sync::OnceLock;

use crate::{Query, Value, query, query_rows};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// With the row.
    Once,
    /// With the row, and again when it changes.
    Changes,
    /// When the row changes; NULL before.
    Later,
    /// With the row; identifies it when it changes.
    Key,
}

pub(crate) struct Column<T> {
    pub(crate) name: &'static str,
    pub(crate) written: Written,
    /// `None` if it is not in `T`: whoever inserts gives it.
    pub(crate) value: Option<fn(&T) -> Value>,
}

pub(crate) struct Columns<T: 'static> {
    table: &'static str,
    all: &'static [Column<T>],
    one: OnceLock<String>,
}

impl<T> Columns<T> {
    pub(crate) const fn new(table: &'static str, all: &'static [Column<T>]) -> Self {
        Self { table, all, one: OnceLock::new() }
    }

    fn inserted(&self) -> impl Iterator<Item = &Column<T>> {
        self.all.iter().filter(|column| column.written != Written::Later)
    }

    fn changing(&self) -> impl Iterator<Item = &Column<T>> {
        self.all.iter().filter(|column| column.written != Written::Once)
    }

    /// `table (id, name, …)`.
    fn table(&self) -> String {
        let names: Vec<&str> = self.inserted().map(|column| column.name).collect();
        format!("{} ({})", self.table, names.join(", "))
    }

    /// The values of a row: what `given` has, in the order of the columns, and the rest from the record.
    fn row(&self, given: impl IntoIterator<Item = Value>, record: &T) -> Vec<Value> {
        let mut given = given.into_iter();
        let value = |column: &Column<T>| {
            let value = column.value.map_or_else(|| given.next(), |value| Some(value(record)));
            value.expect("each given column has a value")
        };
        self.inserted().map(value).collect()
    }

    /// Inserts one row, by a text that is made once; `end` follows the values.
    pub(crate) fn insert(
        &'static self,
        given: impl IntoIterator<Item = Value>,
        record: &T,
        end: impl FnOnce() -> String,
    ) -> Query {
        let row = self.row(given, record);
        let text = || {
            let places: Vec<String> = (1..=row.len()).map(|place| format!("${place}")).collect();
            format!("INSERT INTO {} VALUES ({}) {}", self.table(), places.join(", "), end())
        };
        query(self.one.get_or_init(text).as_str()).bind_all(row)
    }

    /// Inserts rows, each with its given values.
    pub(crate) fn insert_all<'a, G: IntoIterator<Item = Value>>(
        &self,
        rows: impl Iterator<Item = (G, &'a T)>,
        end: &str,
    ) -> Query {
        let rows = rows.map(|(given, record)| self.row(given, record)).collect();
        let table = self.table();
        query_rows(Vec::new(), rows, |new| {
            format!("INSERT INTO {table} SELECT * FROM {new} WHERE TRUE {end}")
        })
    }

    /// `name = excluded.name, …`: what changes if the row is there already.
    pub(crate) fn excluded(&self) -> String {
        let changed = self.inserted().filter(|column| column.written == Written::Changes);
        let set: Vec<String> = changed.map(|column| format!("{0} = excluded.{0}", column.name)).collect();
        set.join(", ")
    }

    /// Writes what changes, of different rows; nothing of those that have it already.
    pub(crate) fn update<'a>(&self, records: impl Iterator<Item = &'a T>) -> Query {
        let (table, mut set, mut differs, mut key) = (self.table, Vec::new(), Vec::new(), String::new());
        for (place, Column { name, written, .. }) in (1..).zip(self.changing()) {
            let new = format!("{name} = new.column{place}");
            if *written == Written::Key {
                key = new;
            } else {
                set.push(new);
                differs.push(format!("{table}.{name} IS DISTINCT FROM new.column{place}"));
            }
        }
        let (set, differs) = (set.join(", "), differs.join(" OR "));
        let value = |column: &Column<T>, record| column.value.expect("what is given does not change")(record);
        let row = |record| self.changing().map(|column| value(column, record)).collect();
        let rows = records.map(row).collect();
        query_rows(Vec::new(), rows, |new| {
            format!("UPDATE {table} SET {set} FROM {new} WHERE {key} AND ({differs})")
        })
    }
}

/// Declares the columns of a struct, and `read`, which makes it from a row.
///
/// `given` has columns that are not in the struct, `fields` those that are one field each (`as` another name; `=> reader` is a
/// method of [`Row`](crate::Row)), `columns` others that are computed, `others` the fields that are no single column.
macro_rules! columns {
    (
        $(#[$doc:meta])*
        $table:literal: $record:ident: $To:ident, from $row:ident $(, $with:ident: $With:ty)*;
        $(given { $($given_written:ident $given:literal;)* })?
        fields {
            $($written:ident $field:ident $(as $name:literal)? = $value:expr => $reader:ident $(($($argument:expr),+))?;)*
        }
        $(columns { $($only_written:ident $only:literal = $only_value:expr;)* })?
        $(others { $($other:ident = $other_read:expr;)* })?
    ) => {
        $(#[$doc])*
        static COLUMNS: $crate::statements::columns::Columns<$To> = $crate::statements::columns::Columns::new($table, &[
            $($($crate::statements::columns::Column {
                name: $given,
                written: $crate::statements::columns::Written::$given_written,
                value: None,
            },)*)?
            $($crate::statements::columns::Column {
                name: $crate::statements::columns::columns!(@name $field $($name)?),
                written: $crate::statements::columns::Written::$written,
                value: Some(|$record| $crate::Value::from($value)),
            },)*
            $($($crate::statements::columns::Column {
                name: $only,
                written: $crate::statements::columns::Written::$only_written,
                value: Some(|$record| $crate::Value::from($only_value)),
            },)*)?
        ]);

        pub(crate) fn read($row: &$crate::Row $(, $with: $With)*) -> ::checkout_domain::ports::Stored<$To> {
            Ok($To {
                $($field: $row.$reader($crate::statements::columns::columns!(@name $field $($name)?) $($(, $argument)+)?)?,)*
                $($($other: $other_read,)*)?
            })
        }
    };
    // Written only.
    (
        $table:literal: $record:ident: $To:ident;
        given { $($given_written:ident $given:literal;)* }
        columns { $($written:ident $name:literal = $value:expr;)* }
    ) => {
        static COLUMNS: $crate::statements::columns::Columns<$To> = $crate::statements::columns::Columns::new($table, &[
            $($crate::statements::columns::Column {
                name: $given,
                written: $crate::statements::columns::Written::$given_written,
                value: None,
            },)*
            $($crate::statements::columns::Column {
                name: $name,
                written: $crate::statements::columns::Written::$written,
                value: Some(|$record| $crate::Value::from($value)),
            },)*
        ]);
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
}
pub(crate) use columns;
