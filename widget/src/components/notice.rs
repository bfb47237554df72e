//! A message that needs the payer's attention.

use leptos::prelude::*;

use super::Sign;

#[component]
pub fn Notice(part: &'static str, #[prop(into)] text: String) -> impl IntoView {
    view! {
        <p class="notice" data-part=part data-value="">
            <Sign name="warning" />
            <span>{text}</span>
        </p>
    }
}
