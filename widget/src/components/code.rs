//! An address or a transaction.

use leptos::prelude::*;

/// An address or a transaction: not translated, always left to right, wrapped at any character.
#[component]
pub fn Code(value: String) -> impl IntoView {
    view! {
        <bdi class="code" dir="ltr" translate="no">
            {value}
        </bdi>
    }
}
