//! The screen on which the payer chooses a currency and a network.

use leptos::either::Either;
use leptos::prelude::*;

use super::Heading;
use crate::components::{Coin, NetworkEmblem, Notice, Sign, dispatch, instead};
use crate::event::Act;
use crate::page_url::FIELD;
use crate::present::{Choice, Choose, Networks, Pick};

/// The choice of a currency, and of a network if there are several. Without scripts, a form sends the choice.
#[component]
pub fn ChooseScreen(choose: Choose) -> impl IntoView {
    let act = dispatch();
    let back = move |label| {
        view! {
            <button type="submit" class="quiet back" name=FIELD value="" on:click=instead(act, Act::GoBack)>
                <Sign name="arrow-left" />
                {label}
            </button>
        }
    };
    let choices = choose.choices.into_iter();
    view! {
        <form class="choose" method="post">
            {choose.back.map(back)} <Heading>{choose.title}</Heading>
            <p class=if choose.warns { "hint warns" } else { "hint" }>
                {choose.warns.then(|| view! { <Sign name="warning" /> })} <span>{choose.hint}</span>
            </p> {choose.notice.map(|text| view! { <Notice part="notice" text=text /> })}
            <ul class="choices">
                {choices.map(|choice| view! { <ChoiceItem choice=choice /> }).collect_view()}
            </ul>
        </form>
    }
}

#[component]
fn ChoiceItem(choice: Choice) -> impl IntoView {
    let act = dispatch();
    let (part, icon, chosen) = match choice.pick {
        Pick::Currency(currency) => {
            ("currency", Either::Left(view! { <Coin code=choice.code /> }), Act::ChooseCurrency(currency))
        }
        Pick::Network(network) => {
            let emblem = view! { <NetworkEmblem code=choice.code /> };
            ("network", Either::Right(emblem), Act::ChooseNetwork(network))
        }
    };
    view! {
        <li>
            <button
                type="submit"
                name=FIELD
                value=choice.value
                class=if choice.asking { "choice asking" } else { "choice" }
                data-part=part
                data-value=choice.code
                aria-disabled=choice.disabled.then_some("true")
                on:click=instead(act, chosen)
            >
                {icon}
                <span class="choice-name">
                    <span class="choice-title">{choice.name}</span>
                    <span class="choice-note">{choice.note}</span>
                </span>
                {choice.networks.map(|networks| view! { <NetworkEmblems networks=networks /> })}
                <Sign name=if choice.asking { "spinner" } else { "arrow-right" } />
            </button>
        </li>
    }
}

#[component]
fn NetworkEmblems(networks: Networks) -> impl IntoView {
    let codes = networks.codes.into_iter();
    view! {
        <span class="choice-networks">
            <span class="offscreen">{networks.label}</span>
            {codes.map(|code| view! { <NetworkEmblem code=code /> }).collect_view()}
        </span>
    }
}
