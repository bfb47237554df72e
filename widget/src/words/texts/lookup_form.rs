//! The texts of the form with which a payer looks for a transfer.

use std::vec::IntoIter;

use super::Texts;

texts!(
    /// The form with which a payer looks for a transfer. Only the server draws it.
    LookupFormWords {
    text: &'static str,
    /// The name of the field.
    field: &'static str,
    /// The button.
    look_up: &'static str,
    empty: &'static str,
    /// A character is marked below.
    character: &'static str,
    /// `{network}`, `{expected}`, `{count}`
    length: &'static str,
    address: &'static str,
    /// `{network}`
    needs_prefix: &'static str,
    /// `{network}`
    has_prefix: &'static str,
    /// `{network}`
    unknown: &'static str,
    /// `{network}`
    unknown_hint: &'static str,
    /// `{network}`
    not_asked: &'static str,
    /// `{network}`
    failed: &'static str,
    /// `{amount}`
    waiting: &'static str,
    /// `{amount}`
    counted: &'static str,
    /// `{amount}`
    missing: &'static str,
    /// `{network}`, `{quoted}`
    elsewhere: &'static str,
    /// `{amount}`, `{merchant}`
    held: &'static str,
    /// `{amount}` with its coin or contract, `{merchant}`
    not_taken: &'static str,
    /// `{merchant}`
    unclear: &'static str,
    /// `{amount}`
    too_small: &'static str,
    /// `{amount}`, `{tag}`, `{merchant}`
    no_tag: &'static str,
    /// After `no_tag`, if the operator was told.
    no_tag_reported: &'static str,
    /// `{amount}`, `{tag}`, `{value}`, `{merchant}`
    other_tag: &'static str,
    other_address: &'static str,
    /// The label of the address that was paid.
    sent_to: &'static str,
    /// `{network}`
    no_transfer: &'static str,
});
