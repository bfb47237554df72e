//! The link to the form that looks for a transfer.

use leptos::prelude::*;

use crate::present::LookupLink;

#[component]
pub fn LookupRow(lookup: Option<LookupLink>) -> impl IntoView {
    lookup.map(|LookupLink { link, framed }| {
        view! {
            <a
                class="quiet"
                data-part="lookup"
                data-value=""
                href=link.href
                target=framed.then_some("_blank")
            >
                {link.label}
            </a>
        }
    })
}
