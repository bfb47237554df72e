//! The screen before the payment is known.

use leptos::prelude::*;

use super::Heading;

/// A placeholder in the shape of a screen, before the first answer.
#[component]
pub fn LoadingScreen(text: &'static str) -> impl IntoView {
    let bars = ["line", "amount", "row", "row", "row", "row"];
    view! {
        <section class="loading">
            <div class="offscreen">
                <Heading>{text}</Heading>
            </div>
            {bars.map(|class| view! { <i class=class aria-hidden="true"></i> })}
        </section>
    }
}
