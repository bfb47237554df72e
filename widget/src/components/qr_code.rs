//! The QR code.

use leptos::prelude::*;

use super::dispatch;
use crate::event::Act;

/// `drawing` is the SVG of `payload`.
#[component]
pub fn QrCode(payload: String, label: String, drawing: String) -> impl IntoView {
    view! {
        <div class="qr" role="img" aria-label=label data-part="qr" data-value=payload inner_html=drawing></div>
    }
}

/// Switches between a code with the amount and one without.
#[component]
pub fn QrSwitch(mode: &'static str, label: &'static str) -> impl IntoView {
    let act = dispatch();
    let checked = if mode == "amount" { "true" } else { "false" };
    view! {
        <button
            type="button"
            class="switch"
            role="switch"
            aria-checked=checked
            data-part="qr-mode"
            data-value=mode
            on:click=move |_| act(Act::SwitchQr)
        >
            <span class="switch-track" aria-hidden="true"></span>
            <span>{label}</span>
        </button>
    }
}
