//! An address or a transaction.

use leptos::prelude::*;

/// In bytes: what fits on a phone.
const SHORT: usize = 32;
/// In bytes; `www/styles/parts.css` keeps their place.
const TAIL: usize = 8;

/// An address or a transaction: not translated, always left to right. The style shortens what comes before its end.
#[component]
pub fn Code(value: String) -> impl IntoView {
    let end = if value.len() > SHORT { value.len() - TAIL } else { 0 };
    let (head, tail) = value.split_at_checked(end).unwrap_or(("", &value));
    let (head, tail) = (head.to_owned(), tail.to_owned());
    view! {
        <bdi class="code" dir="ltr" translate="no" title=value>
            <span>{head}</span>
            {tail}
        </bdi>
    }
}
