//! The screen of a payment whose window has ended.

use leptos::prelude::*;

use super::Heading;
use crate::components::{
    Claims, Deposits, Elsewhere, Notice, Sign, StatusLine, ToForm, WayBack, dispatch, instead,
};
use crate::event::Act;
use crate::page_url::FIELD;
use crate::present::Expired;

#[component]
pub fn ExpiredScreen(expired: Expired) -> impl IntoView {
    let asking = expired.asking;
    view! {
        <section class="outcome">
            <span class="emblem warns">
                <Sign name="clock" />
            </span>
            <Heading>{expired.title}</Heading>
            <p class="hint">{expired.text}</p>
            {expired.notice.map(|text| view! { <Notice part="notice" text=text /> })}
            {expired.renew.map(|label| view! { <NewQuote label=label choice=expired.choice asking=asking /> })}
            <WayBack way_back=expired.way_back class="button" />
            <Claims claims=expired.claims />
            <Deposits deposits=expired.deposits />
            <StatusLine status=expired.status />
            <ToForm class="quiet" part="lookup" link=expired.lookup />
            {expired.support.map(|link| view! { <Elsewhere part="support" link=link /> })}
        </section>
    }
}

#[component]
fn NewQuote(label: &'static str, choice: String, asking: Option<&'static str>) -> impl IntoView {
    let act = dispatch();
    view! {
        <form class="actions" method="post">
            <button
                type="submit"
                name=FIELD
                value=choice
                class="button primary"
                data-part="new-quote"
                data-value=""
                aria-disabled=asking.map(|_| "true")
                on:click=instead(act, Act::Renew)
            >
                {asking.map(|_| view! { <Sign name="spinner" /> })}
                <span>{asking.unwrap_or(label)}</span>
            </button>
        </form>
    }
}
