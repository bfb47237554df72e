//! The screen of a transfer that the network confirms.

use leptos::prelude::*;

use super::Heading;
use crate::components::{Claims, Deposits, Steps, ToForm, WayBack};
use crate::present::Seen;

#[component]
pub fn SeenScreen(seen: Seen) -> impl IntoView {
    view! {
        <section class="outcome">
            <Heading>{seen.title}</Heading>
            <p class="hint">{seen.text}</p>
            <Steps steps=seen.steps />
            <span class="offscreen" data-part="status" data-value=seen.status.value>
                {seen.status.text}
            </span>
            <Claims claims=seen.claims />
            <Deposits deposits=seen.deposits />
            <p class="hint">{seen.hint}</p>
            <WayBack way_back=seen.way_back class="button" />
            <ToForm class="quiet" part="lookup" link=seen.lookup />
        </section>
    }
}
