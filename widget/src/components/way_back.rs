//! The way back to the merchant.

use leptos::prelude::*;

use super::{Sign, dispatch};
use crate::event::Act;
use crate::present::{Link, Return};

/// The link back to the merchant.
#[component]
pub fn WayBack(way_back: Return, class: &'static str) -> impl IntoView {
    let act = dispatch();
    let close = move |label| {
        view! {
            <button type="button" class=class data-part="return" data-value="" on:click=move |_| act(Act::Close)>
                {label}
            </button>
        }
    };
    let leaving = move |(leaving, stay)| {
        view! {
            <p class="leaving">
                <span>{leaving}</span>
                <button type="button" class="quiet" on:click=move |_| act(Act::Stay)>
                    {stay}
                </button>
            </p>
        }
    };
    view! {
        <div class="actions">
            {way_back.link.map(|link| view! { <MerchantLink link=link class=class /> })}
            {way_back.close.map(close)} {way_back.leaving.zip(way_back.stay).map(leaving)}
        </div>
    }
}

#[component]
pub fn MerchantLink(link: Link, class: &'static str) -> impl IntoView {
    view! {
        <a class=class data-part="return" data-value="" href=link.href target="_top" rel="noreferrer">
            <span>{link.label}</span>
            <Sign name="arrow-right" />
        </a>
    }
}
