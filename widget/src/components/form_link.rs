//! A link to a form of the page.

use leptos::prelude::*;

use crate::present::FormLink;

#[component]
pub fn ToForm(class: &'static str, part: &'static str, link: Option<FormLink>) -> impl IntoView {
    link.map(|FormLink { link, framed }| {
        view! {
            <a class=class data-part=part data-value="" href=link.href target=framed.then_some("_blank")>
                {link.label}
            </a>
        }
    })
}
