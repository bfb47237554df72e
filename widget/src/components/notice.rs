//! A message that needs the payer's attention.

use leptos::prelude::*;

use super::Sign;

/// A message that needs the payer's attention.
#[component]
pub fn Notice(text: &'static str) -> impl IntoView {
    view! {
        <p class="notice">
            <Sign name="warning" />
            <span>{text}</span>
        </p>
    }
}
