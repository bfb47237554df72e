//! The queue of mails, and the server that takes them.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::callback::schedule::Next;
use crate::ids::PaymentId;
use crate::mail::{BegunMail, MailBacklog, Mails, NewMail};

#[async_trait]
pub trait MailStore: Send + Sync {
    async fn are_mails_due(&self, now: u64) -> Stored<bool>;

    async fn mail_backlog(&self, now: u64) -> Stored<MailBacklog>;
}

#[async_trait]
pub trait MailTx: Send {
    /// Adds it; returns false if there is one of the same cause. A receipt that was given up is sent again.
    async fn put_mail(&mut self, mail: &NewMail) -> Stored<bool>;

    /// The receipts of a payment that the caller locked, without those that were given up.
    async fn count_receipts(&mut self, payment: PaymentId) -> Stored<u64>;

    /// At most `limit` due mails of these, the oldest first, which nobody else begins before `lease_end`.
    async fn begin_mails(
        &mut self,
        mails: Mails<'_>,
        now: u64,
        lease_end: u64,
        limit: u32,
    ) -> Stored<Vec<BegunMail>>;

    /// Stores the outcome with the last words of the server, and erases the address of what is not sent again. A failure after the
    /// end of the lease changes nothing: the mail is sent by somebody else.
    async fn end_mail(&mut self, mail: &BegunMail, next: Next, words: &str) -> Stored<()>;

    /// Gives up what is due since then, and erases its addresses.
    async fn give_up_mails(&mut self, due_since: u64, words: &str) -> Stored<()>;
}

/// A mail as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The same whenever the same mails are sent: its `Message-ID` follows from it.
    pub id: Uuid,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Why a mail was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotTaken {
    /// Those of the server, if it answered.
    pub words: String,
    /// The server will not take this mail later either.
    pub is_final: bool,
}

#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends once, within a minute. Without an error the server has it.
    async fn send(&self, letter: &Letter) -> Result<(), NotTaken>;
}
