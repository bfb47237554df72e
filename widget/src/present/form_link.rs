//! Links to the forms of the page.

use super::Scene;
use super::links::Link;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormLink {
    pub link: Link,
    /// The form is a page of its own, which a frame does not show.
    pub framed: bool,
}

/// To the form that looks for a transfer. `None` before the payer was given an address.
pub(super) fn lookup_link(scene: Scene<'_>) -> Option<FormLink> {
    let Scene { shared, opened, words, .. } = scene;
    let link = || Link { label: words.help.lookup.to_owned(), href: shared.url.with_lookup() };
    opened.payment.wallet_address.as_ref().map(|_| FormLink { link: link(), framed: shared.url.framed })
}
