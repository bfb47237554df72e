use leptos::prelude::*;

use super::Sign;

/// Something the payer has to know now.
#[component]
pub fn Notice(text: &'static str) -> impl IntoView {
    view! {
        <p class="notice">
            <Sign name="warning" />
            <span>{text}</span>
        </p>
    }
}
