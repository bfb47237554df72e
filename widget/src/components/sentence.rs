//! A sentence with asset and network.

use leptos::either::EitherOf3;
use leptos::prelude::*;

use crate::present::{self, Span};

/// A sentence in which the asset and the network are separate elements.
#[component]
pub fn Sentence(sentence: present::Sentence) -> impl IntoView {
    let span = |span| match span {
        Span::Text(text) => EitherOf3::A(text),
        Span::Asset { code } => EitherOf3::B(view! {
            <strong data-part="currency" data-value=code>
                {code}
            </strong>
        }),
        Span::Network { code, name } => EitherOf3::C(view! {
            <strong data-part="network" data-value=code>
                {name}
            </strong>
        }),
    };
    view! { <span>{sentence.into_iter().map(span).collect_view()}</span> }
}
