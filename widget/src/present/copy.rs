//! The button that copies a field, and what is said about it.

use checkout_core::Network;

use super::tag_words;
use crate::screen::Field;
use crate::state::Copied;
use crate::words::{Words, fill};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyButton {
    pub field: Field,
    /// The accessible name, which includes the copied text.
    pub label: String,
    pub text: &'static str,
    /// Whether the last copy worked; `None` if there is nothing to show.
    pub done: Option<bool>,
}

/// `network` is that of a tag.
pub(super) fn copy_button(
    field: Field,
    last: Option<Copied>,
    network: Option<Network>,
    all: &Words,
) -> CopyButton {
    let words = &all.copy;
    let done = last.filter(|copied| copied.field == field).map(|copied| copied.done);
    let (label, copied) = labels(field, network, all);
    let (text, label) = match done {
        None => (words.copy, label.to_owned()),
        Some(true) => (words.copied, copied.to_owned()),
        Some(false) => (words.failed, fill(words.failed_label, &[("label", label)])),
    };
    CopyButton { field, label, text, done }
}

/// Before and after.
pub(super) fn labels(field: Field, network: Option<Network>, words: &Words) -> (&'static str, &'static str) {
    let copy = &words.copy;
    match field {
        Field::Amount => (copy.amount, copy.amount_copied),
        Field::Address => (copy.address, copy.address_copied),
        Field::Tag => {
            let tag = network.map_or(&words.tag.destination_tag, |network| tag_words(network, words));
            (tag.copy, tag.copied)
        }
        Field::Transaction => (copy.transaction, copy.transaction_copied),
        Field::Reference => (copy.reference, copy.reference_copied),
    }
}
