//! Help for the payer, on every screen except the successful ones.

use super::links::Link;
use crate::page::Shared;
use crate::words::{Words, fill};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// The payment's reference, which the merchant can look up.
    pub reference: String,
    pub link: Option<Link>,
}

/// `None` before the payment is known.
pub(super) fn support(shared: &Shared, words: &Words) -> Option<Support> {
    let opened = shared.opened.as_ref()?;
    let reference = opened.payment.client_payment_id.as_str();
    Some(Support {
        reference: fill(words.page.reference, &[("reference", reference)]),
        link: shared
            .support()
            .map(|href| Link { label: fill(words.help.contact, &[("merchant", &opened.merchant)]), href }),
    })
}
