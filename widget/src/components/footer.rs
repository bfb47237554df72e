//! The foot of the page.

use leptos::prelude::*;

use super::Sign;
use crate::present::{self, LanguageLink};

/// The page's language and links to the others. A link opens the same page, rendered by the server in that
/// language.
#[component]
pub fn Footer(footer: present::Footer) -> impl IntoView {
    let present::Footer { language_label, language, languages } = footer;
    let name = languages.iter().find(|link| link.tag == language).map_or(language, |link| link.name);
    let links = languages.into_iter();
    view! {
        <details class="languages">
            <summary data-part="locale" data-value=language>
                <Sign name="globe" />
                <span class="offscreen">{language_label}</span>
                <span>{name}</span>
                <Sign name="chevron-down" />
            </summary>
            <ul>
                {links.map(|link| view! { <Switch current=link.tag == language link=link /> }).collect_view()}
            </ul>
        </details>
    }
}

#[component]
fn Switch(link: LanguageLink, current: bool) -> impl IntoView {
    view! {
        <li>
            <a
                href=link.href
                lang=link.tag
                hreflang=link.tag
                aria-current=current.then_some("true")
                data-locale=link.tag
            >
                {link.name}
            </a>
        </li>
    }
}
