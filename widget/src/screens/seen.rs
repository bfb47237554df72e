//! The screen of a transfer that the network confirms.

use leptos::prelude::*;

use super::Heading;
use crate::components::{Deposits, Sign, StatusLine, Steps, WayBack};
use crate::present::Seen;

#[component]
pub fn SeenScreen(seen: Seen) -> impl IntoView {
    view! {
        <section class="outcome">
            <span class="emblem">
                <Sign name="clock" />
            </span>
            <Heading>{seen.title}</Heading>
            <p class="hint">{seen.text}</p>
            <Steps steps=seen.steps />
            <StatusLine status=seen.status />
            {seen.usual.map(|text| view! { <p class="hint">{text}</p> })}
            <Deposits deposits=seen.deposits />
            <p class="hint">{seen.hint}</p>
            <WayBack way_back=seen.way_back class="button" />
        </section>
    }
}
