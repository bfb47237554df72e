//! Mails: receipts to payers, and notices to operators.

pub mod notices;
pub mod request_receipt;
pub mod send_mails;

use std::fmt;
use std::sync::Arc;

use checkout_domain::ports::mail::Mailer;

/// Where mails go out, and who gets the notices.
#[derive(Clone)]
pub struct Mail {
    pub mailer: Arc<dyn Mailer>,
    /// Operators; empty: there are no notices.
    pub notices_to: Vec<String>,
    /// The URL of the desk, without a trailing slash.
    pub desk_url: Option<String>,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mail").field("notices_to", &self.notices_to.len()).finish_non_exhaustive()
    }
}
