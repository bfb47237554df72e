//! A button that copies a field.

use leptos::prelude::*;

use super::Sign;
use crate::present;
use crate::screen::Field;

/// The row around it handles the click, because the whole row copies.
#[component]
pub fn CopyButton(button: present::CopyButton) -> impl IntoView {
    let field = button.field;
    let part = match field {
        Field::Amount => "copy-amount",
        Field::Address => "copy-address",
        Field::Tag => "copy-tag",
        Field::Transaction => "copy-transaction",
        Field::Reference => "copy-reference",
    };
    let (class, icon, result) = match button.done {
        None => ("copy", "copy", ""),
        Some(true) => ("copy done", "check", "done"),
        Some(false) => ("copy failed", "warning", "failed"),
    };
    view! {
        <button
            type="button"
            class=class
            data-part=part
            data-value=result
            aria-label=button.label
        >
            <Sign name=icon />
            <span>{button.text}</span>
        </button>
    }
}
