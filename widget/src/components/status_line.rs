use leptos::prelude::*;

use super::Sign;
use crate::present::Status;

/// The line that says how the payment stands.
#[component]
pub fn StatusLine(status: Status) -> impl IntoView {
    view! {
        <p class="status" data-part="status" data-value=status.value>
            <Sign name="spinner" />
            <span>{status.text}</span>
        </p>
    }
}
