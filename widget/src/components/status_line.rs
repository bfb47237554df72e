//! The status in words.

use leptos::prelude::*;

use super::Sign;
use crate::present::Status;

/// The line that shows the status of the payment, unless there is nothing to say.
#[component]
pub fn StatusLine(status: Status) -> impl IntoView {
    view! {
        <p class=if status.text.is_empty() { "offscreen" } else { "status" } data-part="status" data-value=status.value>
            <Sign name="spinner" />
            <span>{status.text}</span>
        </p>
    }
}
