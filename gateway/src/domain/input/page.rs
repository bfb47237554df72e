//! The page of a list that a query asks for. Cursors are ids, exclusive.

use uuid::Uuid;

use crate::domain::input::fields::Fields;
use crate::domain::input::id;

const DEFAULT_LIMIT: u32 = 25;
const MAX_LIMIT: u32 = 100;

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
    /// Reads its parameters; all values are texts.
    pub fn read(fields: &mut Fields) -> Self {
        Self {
            after: uuid(fields, "after"),
            before: uuid(fields, "before"),
            descending: fields.parsed("descending", "wrong_type", "must be true or false").unwrap_or(true),
            limit: limit(fields),
        }
    }

    /// Its cursors with the names of their parameters.
    pub fn cursors(&self) -> impl Iterator<Item = (&'static str, Uuid)> {
        let cursors = [("after", self.after), ("before", self.before)];
        cursors.into_iter().filter_map(|(name, cursor)| Some((name, cursor?)))
    }

    /// The cursors as lower and upper bounds of the age, in this direction.
    pub fn bounds(&self) -> (Option<Uuid>, Option<Uuid>) {
        if self.descending { (self.before, self.after) } else { (self.after, self.before) }
    }

    /// With `before` alone, the entries are read backwards from the cursor.
    pub fn is_backwards(&self) -> bool {
        self.after.is_none() && self.before.is_some()
    }
}

/// A parameter with an id.
pub fn uuid(fields: &mut Fields, name: &str) -> Option<Uuid> {
    let text = fields.text(name)?;
    let id = id::parse(&text);
    if id.is_none() {
        fields.error(name, "bad_uuid", "must be a UUID");
    }
    id
}

/// The size of the page.
fn limit(fields: &mut Fields) -> u32 {
    let Some(text) = fields.text("limit") else { return DEFAULT_LIMIT };
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(limit) if is_number && (1..=MAX_LIMIT).contains(&limit) => return limit,
        _ if is_number => fields.error("limit", "out_of_range", format!("must be from 1 to {MAX_LIMIT}")),
        _ => fields.error("limit", "wrong_type", "must be a whole number"),
    }
    DEFAULT_LIMIT
}
