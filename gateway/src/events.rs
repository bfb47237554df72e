//! The bodies of callbacks, and their description in the OpenAPI document.

pub mod deposit_received;
pub mod number;
pub mod withdrawal_ended;
mod withdrawal_replaced;
mod withdrawal_reverted;

use checkout_domain::webhook::Kind;
use schemars::{Schema, SchemaGenerator};

/// The facts of a kind of callback.
#[derive(Debug)]
pub struct Event {
    /// Name in the OpenAPI document.
    pub name: &'static str,
    /// Title in the document and in the sandbox's console.
    pub title: &'static str,
    /// When it is sent, for the document.
    pub description: &'static str,
    /// The body as a JSON Schema.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

pub fn event(kind: Kind) -> &'static Event {
    match kind {
        Kind::Deposit => &deposit_received::EVENT,
        Kind::Withdrawal => &withdrawal_ended::EVENT,
        Kind::WithdrawalReplaced => &withdrawal_replaced::EVENT,
        Kind::WithdrawalReverted => &withdrawal_reverted::EVENT,
    }
}
