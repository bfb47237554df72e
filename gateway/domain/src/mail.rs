//! Mails that wait to be sent: receipts to payers, and notices to operators.

use uuid::Uuid;

use crate::ids::PaymentId;

/// So many addresses get a receipt of one payment.
pub const RECEIPTS: u64 = 3;

/// A mail to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMail {
    pub id: Uuid,
    /// What is sent once: two mails of one cause are the same mail.
    pub cause: String,
    pub content: Content,
    pub created_at: u64,
}

/// A stored mail, to be sent until the end of its lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunMail {
    pub id: Uuid,
    pub content: Content,
    /// Failed attempts.
    pub failures: u32,
    pub lease_end: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// It is written when it is sent.
    Receipt { payment: PaymentId, to: String, locale: String },
    /// One paragraph of a mail to an operator.
    Notice { to: String, text: String },
}

/// Which mails a gateway sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mails<'a> {
    Receipts,
    NoticesTo(&'a str),
}

crate::words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum MailState {
        Pending = "PENDING",
        Delivered = "DELIVERED",
        GivenUp = "GIVEN_UP",
    }
}

/// Numbers of stored mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MailBacklog {
    pub pending: u64,
    pub given_up: u64,
    /// The earliest time of those that are due.
    pub due_since: Option<u64>,
}
