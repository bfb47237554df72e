//! `description` and `metadata` of a payment.

use checkout_domain::payment::Notes;
use checkout_wire::MAX_DESCRIPTION;
use checkout_wire::metadata::{MAX_NAME, MAX_NAMES, MAX_VALUE};

use crate::http::requests::fields::Fields;
use crate::texts::amount::Fault;
use crate::texts::is_blank;

pub fn read(fields: &mut Fields) -> Notes {
    Notes {
        description: description(fields),
        metadata: fields.text_map("metadata", check).unwrap_or_default(),
    }
}

pub fn description(fields: &mut Fields) -> Option<String> {
    let text = fields.text("description")?;
    if is_blank(&text) {
        fields.error("description", "empty", "must have a character that can be seen");
    } else if text.chars().count() > MAX_DESCRIPTION {
        fields.error("description", "too_long", format!("must have at most {MAX_DESCRIPTION} characters"));
    }
    Some(text)
}

/// Returns the code and the detail of what is wrong with the entries.
fn check(entries: &[(String, String)]) -> Option<Fault> {
    if entries.len() > MAX_NAMES {
        return Some(("too_long", format!("must have at most {MAX_NAMES} names")));
    }
    entries.iter().find_map(|(name, value)| {
        if is_blank(name) {
            Some(("empty", "a name must have a character that can be seen".to_owned()))
        } else if name.chars().count() > MAX_NAME {
            Some(("too_long", format!("a name must have at most {MAX_NAME} characters")))
        } else if value.chars().count() > MAX_VALUE {
            Some(("too_long", format!("the value of {name} must have at most {MAX_VALUE} characters")))
        } else {
            None
        }
    })
}

/// A search for one entry, as `name:value`.
pub fn entry(fields: &mut Fields) -> Option<(String, String)> {
    let text = fields.text("metadata")?;
    let entry = text.split_once(':').map(|(name, value)| (name.to_owned(), value.to_owned()));
    fields.accept("metadata", entry.ok_or(("wrong_type", "must be `name:value`")))
}
