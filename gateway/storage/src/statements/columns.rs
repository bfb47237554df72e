//! The columns of a table, each in one place: its name, the value that is written, and how it is read. The statements that insert
//! and change rows come from this list.

use std::sync::OnceLock;

use crate::{Query, Value, placeholders, query, query_rows};

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

    /// How many columns an inserted row has.
    pub(crate) fn width(&self) -> usize {
        self.inserted().count()
    }

    /// How many values a change has, with the key.
    pub(crate) fn changed_width(&self) -> usize {
        self.changing().count()
    }

    /// `table (id, name, …)`.
    pub(crate) fn table(&self) -> String {
        let names: Vec<&str> = self.inserted().map(|column| column.name).collect();
        format!("{} ({})", self.table, names.join(", "))
    }

    /// Binds a row: what `given` has, in the order of the columns, and the rest from the record.
    pub(crate) fn bind(&self, statement: Query, given: impl IntoIterator<Item = Value>, record: &T) -> Query {
        let mut given = given.into_iter();
        self.inserted().fold(statement, |statement, column| {
            let value = column.value.map_or_else(|| given.next(), |value| Some(value(record)));
            statement.bind(value.expect("each given column has a value"))
        })
    }

    /// Inserts one row, by a text that is made once; `end` follows the values.
    pub(crate) fn insert(
        &'static self,
        given: impl IntoIterator<Item = Value>,
        record: &T,
        end: impl FnOnce() -> String,
    ) -> Query {
        let text =
            || format!("INSERT INTO {} VALUES {} {}", self.table(), placeholders(1, self.width()), end());
        self.bind(query(self.one.get_or_init(text).as_str()), given, record)
    }

    /// Inserts rows, each with its given values.
    pub(crate) fn insert_all<'a, G: IntoIterator<Item = Value>>(
        &self,
        rows: impl ExactSizeIterator<Item = (G, &'a T)>,
        end: &str,
    ) -> Query {
        let values = placeholders(rows.len(), self.width());
        let text = format!("INSERT INTO {} VALUES {values} {end}", self.table());
        let statement = query_rows(text, rows.len(), self.width());
        rows.fold(statement, |statement, (given, record)| self.bind(statement, given, record))
    }

    /// `name = excluded.name, …`: what changes if the row is there already.
    pub(crate) fn excluded(&self) -> String {
        let changed = self.inserted().filter(|column| column.written == Written::Changes);
        let set: Vec<String> = changed.map(|column| format!("{0} = excluded.{0}", column.name)).collect();
        set.join(", ")
    }

    /// Writes what changes, of different rows.
    pub(crate) fn update<'a>(&self, rows: impl ExactSizeIterator<Item = &'a T>) -> Query {
        let (mut set, mut key) = (Vec::new(), String::new());
        for (place, column) in self.changing().enumerate() {
            let new = format!("{} = new.column{}", column.name, place + 1);
            if column.written == Written::Key { key = new } else { set.push(new) }
        }
        let (table, set) = (self.table, set.join(", "));
        let values = placeholders(rows.len(), self.changed_width());
        let text = format!("UPDATE {table} SET {set} FROM (VALUES {values}) AS new WHERE {key}");
        let statement = query_rows(text, rows.len(), self.changed_width());
        rows.fold(statement, |statement, record| {
            self.changing().fold(statement, |statement, column| {
                let value = column.value.expect("what is given does not change");
                statement.bind(value(record))
            })
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
