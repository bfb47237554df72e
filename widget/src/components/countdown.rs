//! The time left.

use leptos::prelude::*;

use super::Sign;
use crate::present;

#[component]
pub fn Countdown(countdown: present::Countdown) -> impl IntoView {
    let seconds = countdown.seconds.map_or(String::new(), |seconds| seconds.to_string());
    view! {
        <p class=if countdown.urgent { "countdown urgent" } else { "countdown" }>
            <Sign name="clock" />
            <span class="countdown-label">{countdown.label}</span>
            <span
                class="countdown-time"
                role="timer"
                aria-live="off"
                translate="no"
                data-part="countdown"
                data-value=seconds
            >
                {countdown.text}
            </span>
        </p>
    }
}
