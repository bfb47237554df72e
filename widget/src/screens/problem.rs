//! The screen of a payment that cannot be shown.

use leptos::prelude::*;

use super::Heading;
use crate::components::{Elsewhere, MerchantLink, Sign, dispatch};
use crate::event::Act;
use crate::present::ProblemView;

#[component]
pub fn ProblemScreen(problem: ProblemView) -> impl IntoView {
    let act = dispatch();
    let retry = move |label| {
        view! {
            <button type="button" class="button primary" on:click=move |_| act(Act::Retry)>
                {label}
            </button>
        }
    };
    view! {
        <section class="outcome" data-problem=problem.code>
            <span class="emblem bad">
                <Sign name=if problem.retrying { "offline" } else { "warning" } />
            </span>
            <Heading>{problem.title}</Heading>
            <p class="hint">{problem.text}</p>
            <div class="actions">
                {problem.retry.map(retry)}
                {problem.way_back.map(|link| view! { <MerchantLink link=link class="button" /> })}
            </div>
            {problem.reference.map(|text| view! { <p class="reference">{text}</p> })}
            {problem.support.map(|link| view! { <Elsewhere part="support" link=link /> })}
        </section>
    }
}
