//! A link to another site, in a tab of its own: a transaction in an explorer, the merchant's help.

use leptos::prelude::*;

use crate::present::Link;

#[component]
pub fn Elsewhere(part: &'static str, link: Link) -> impl IntoView {
    view! {
        <a class=part data-part=part data-value="" href=link.href target="_blank" rel="noreferrer noopener">
            {link.label}
        </a>
    }
}
