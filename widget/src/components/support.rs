//! The merchant's help.

use leptos::prelude::*;

use crate::present;

/// The payment's reference, and a link to the merchant's help if there is one.
#[component]
pub fn Support(support: present::Support) -> impl IntoView {
    let link = |link: present::Link| {
        view! {
            <a data-part="support" data-value="" href=link.href target="_blank" rel="noreferrer noopener">
                {link.label}
            </a>
        }
    };
    view! {
        <p class="reference">
            {support.link.map(link)} " "
            <span>
                <bdi>{support.reference}</bdi>
            </span>
        </p>
    }
}
