//! Help for the payer, on every screen except the successful ones.

use super::links::Link;
use crate::page::Shared;
use crate::words::{Words, fill};

/// `None` before the payment is known, and of a merchant who names none.
pub(super) fn support(shared: &Shared, words: &Words) -> Option<Link> {
    let label = fill(words.help.contact, &[("merchant", &shared.opened.as_ref()?.merchant)]);
    shared.support().map(|href| Link { label, href })
}
