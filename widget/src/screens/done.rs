//! The screen of a paid payment, with its receipt.

use leptos::either::Either;
use leptos::prelude::*;

use super::Heading;
use crate::components::{
    Claims, Code, CopyButton, Deposits, Elsewhere, Notice, Sign, ToForm, WayBack, dispatch,
};
use crate::event::Act;
use crate::present::{Done, Row};
use crate::screen::Field;

/// The receipt: the screens `paid`, `overpaid` and `paid-twice`.
#[component]
pub fn DoneScreen(done: Done) -> impl IntoView {
    view! {
        <section class="outcome">
            <span class=if done.twice { "emblem warns" } else { "emblem good" }>
                <Sign name=if done.twice { "warning" } else { "check" } />
            </span>
            <Heading>{done.title}</Heading>
            {done.price.map(|price| view! { <p class="price">{price}</p> })}
            <p class="hint">{done.text}</p>
            {done.twice_note.map(|text| view! { <Notice part="follow-up" text=text /> })}
            <WayBack way_back=done.way_back class="button primary" />
            <ToForm class="button" part="pay-again" link=done.again />
            <dl class="rows">{done.rows.into_iter().map(|row| view! { <ReceiptRow row=row /> }).collect_view()}</dl>
            {done.excess_note.map(|text| view! { <Notice part="refund" text=text /> })}
            <Claims claims=done.claims />
            <Deposits deposits=done.deposits />
            {done.explorer.map(|link| view! { <Elsewhere part="explorer" link=link /> })} <Keep print=done.print share=done.share />
            <ToForm class="quiet" part="receipt" link=done.receipt />
            {done.support.map(|link| view! { <Elsewhere part="support" link=link /> })}
            <span class="offscreen" data-part="status" data-value=done.status.value>
                {done.status.text}
            </span>
        </section>
    }
}

#[component]
fn ReceiptRow(row: Row) -> impl IntoView {
    let act = dispatch();
    view! {
        <div>
            <dt>{row.label}</dt>
            {match row.copy {
                Some(copy) => {
                    Either::Left(
                        view! {
                            <dd class="fact-row" on:click=move |_| act(Act::Copy(Field::Transaction))>
                                <Code value=row.value />
                                <CopyButton button=copy />
                            </dd>
                        },
                    )
                }
                None => Either::Right(view! { <dd>{row.value}</dd> }),
            }}
        </div>
    }
}

/// Ways to keep the receipt.
#[component]
fn Keep(print: &'static str, share: Option<&'static str>) -> impl IntoView {
    let act = dispatch();
    let button = move |part: &'static str, label: &'static str, what: Act| {
        view! {
            <button type="button" class="quiet" data-part=part data-value="" on:click=move |_| act(what)>
                {label}
            </button>
        }
    };
    view! {
        <p class="keep">
            {button("print", print, Act::Print)} {share.map(|label| button("share", label, Act::Share))}
        </p>
    }
}
