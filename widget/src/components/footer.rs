use leptos::either::Either;
use leptos::prelude::*;

use super::{Sign, dispatch};
use crate::event::Act;
use crate::present;
use crate::words::translated;

/// The language of the page, with a choice if there are several languages.
#[component]
pub fn Footer(footer: present::Footer) -> impl IntoView {
    let present::Footer { language_label, language, languages, not_translated } = footer;
    view! {
        {not_translated.map(|text| view! { <p>{text}</p> })}
        {match languages.as_slice() {
            [(_, name)] => {
                let name = *name;
                Either::Left(
                    view! {
                        <p>
                            <span data-part="locale" data-value=language>
                                {name}
                            </span>
                        </p>
                    },
                )
            }
            _ => {
                Either::Right(
                    view! { <LanguageChoice label=language_label current=language languages=languages /> },
                )
            }
        }}
    }
}

#[component]
fn LanguageChoice(
    label: &'static str,
    current: &'static str,
    languages: Vec<(&'static str, &'static str)>,
) -> impl IntoView {
    let act = dispatch();
    let option = |(tag, name)| {
        view! {
            <option value=tag lang=tag selected=tag == current>
                {name}
            </option>
        }
    };
    let switch = move |event| {
        let chosen = event_target_value(&event);
        if let Some(language) = translated().find(|language| language.tag == chosen) {
            act(Act::SwitchLocale(language.tag));
        }
    };
    view! {
        <p class="locale">
            <select aria-label=label data-part="locale" data-value=current on:change=switch>
                {languages.into_iter().map(option).collect_view()}
            </select>
            <Sign name="chevron-down" />
        </p>
    }
}
