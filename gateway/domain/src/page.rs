//! A page of a list. Cursors are ids, exclusive.

use uuid::Uuid;

/// The time in which the entries of a list were created, in UNIX seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    pub from: Option<u64>,
    /// Exclusive.
    pub to: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Only entries after this one in the order of the list.
    pub after: Option<Uuid>,
    /// Only entries before this one in the order of the list: the nearest ones, unless `after` is given.
    pub before: Option<Uuid>,
    /// Newest first.
    pub descending: bool,
    pub limit: u32,
}

impl Page {
    /// Its cursors with the names of their parameters.
    pub fn cursors(&self) -> impl Iterator<Item = (&'static str, Uuid)> {
        let cursors = [("after", self.after), ("before", self.before)];
        cursors.into_iter().filter_map(|(name, cursor)| Some((name, cursor?)))
    }

    /// The cursors as lower and upper bounds of the age, in this direction.
    pub fn bounds(&self) -> (Option<Uuid>, Option<Uuid>) {
        if self.descending { (self.before, self.after) } else { (self.after, self.before) }
    }

    /// Whether the entries are read from the newest, before those of a backward page are turned around.
    pub fn is_newest_first(&self) -> bool {
        self.descending != self.is_backwards()
    }

    /// The entries in the order of the list.
    pub fn in_order<T>(&self, mut read: Vec<T>) -> Vec<T> {
        if self.is_backwards() {
            read.reverse();
        }
        read
    }

    /// With `before` alone, the entries are read backwards from the cursor.
    pub fn is_backwards(&self) -> bool {
        self.after.is_none() && self.before.is_some()
    }
}
