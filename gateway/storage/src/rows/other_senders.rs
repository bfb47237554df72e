//! The column `other_senders` of a deposit: a JSON array; NULL if there are none.

use checkout_domain::ports::{StoreError, Stored};

use crate::statements::row::Row;

pub(crate) fn read(row: &Row) -> Stored<Vec<String>> {
    let Some(text) = row.optional_text("other_senders")? else { return Ok(Vec::new()) };
    serde_json::from_str(&text).map_err(|error| StoreError(error.into()))
}

pub(crate) fn text(senders: &[String]) -> Option<String> {
    let text = || serde_json::to_string(senders).expect("texts are JSON");
    (!senders.is_empty()).then(text)
}
