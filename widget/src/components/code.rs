use leptos::prelude::*;

/// An address or a transaction: never translated, never turned around, broken anywhere.
#[component]
pub fn Code(value: String) -> impl IntoView {
    view! {
        <bdi class="code" dir="ltr" translate="no">
            {value}
        </bdi>
    }
}
