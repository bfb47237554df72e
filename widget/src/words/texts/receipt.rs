//! The texts of the receipt by e-mail, and of the form that asks for it.

use std::vec::IntoIter;

use super::Texts;

texts!(
    /// The receipt by e-mail, and the form that asks for it. Only the server draws them.
    ReceiptWords {
    text: &'static str,
    /// What becomes of the address.
    privacy: &'static str,
    /// The name of the field.
    field: &'static str,
    /// The button.
    send: &'static str,
    /// `{address}`
    queued: &'static str,
    no_address: &'static str,
    enough: &'static str,
    not_now: &'static str,
    /// `{merchant}`, `{order}`
    subject: &'static str,
    /// The label of the price.
    price: &'static str,
    /// `{merchant}`: why the mail came.
    reason: &'static str,
});
