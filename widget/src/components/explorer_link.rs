//! A link to a transaction in an explorer.

use leptos::prelude::*;

use crate::present::Link;

/// A link to a public block explorer.
#[component]
pub fn ExplorerLink(link: Link) -> impl IntoView {
    view! {
        <a class="explorer" data-part="explorer" data-value="" href=link.href target="_blank" rel="noreferrer noopener">
            {link.label}
        </a>
    }
}
