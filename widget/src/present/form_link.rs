//! Links to the forms of the page.

use super::Scene;
use super::links::Link;
use crate::page_url::{LOOKUP, RECEIPT};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormLink {
    pub link: Link,
    /// The form is a page of its own, which a frame does not show.
    pub framed: bool,
}

/// To the form that looks for a transfer. `None` before the payer was given an address.
pub(super) fn lookup_link(scene: Scene<'_>) -> Option<FormLink> {
    let has_address = scene.opened.payment.wallet_address.is_some();
    has_address.then(|| form_link(scene, scene.words.help.lookup, LOOKUP))
}

/// To the form that asks for a receipt. A gateway that sends no mail has no word for it.
pub(super) fn receipt_link(scene: Scene<'_>) -> Option<FormLink> {
    let label = scene.words.help.receipt;
    (!label.is_empty()).then(|| form_link(scene, label, RECEIPT))
}

fn form_link(Scene { shared, .. }: Scene<'_>, label: &str, name: &str) -> FormLink {
    let link = Link { label: label.to_owned(), href: shared.url.with_form(name) };
    FormLink { link, framed: shared.url.framed }
}
