//! Money that the payer can ask for, and what became of it.

use leptos::prelude::*;

use super::{DepositFact, ToForm};
use crate::present::ClaimLine;

#[component]
pub fn Claims(claims: Vec<ClaimLine>) -> impl IntoView {
    let lines = |claims: Vec<ClaimLine>| claims.into_iter().map(|line| view! { <Claim line=line /> });
    (!claims.is_empty()).then(|| view! { <ul class="claims">{lines(claims).collect_view()}</ul> })
}

#[component]
fn Claim(line: ClaimLine) -> impl IntoView {
    let ClaimLine { value, text, facts, open } = line;
    view! {
        <li class="refund" data-part="claim" data-value=value>
            <p>{text}</p>
            {facts.into_iter().map(|(label, value)| view! { <DepositFact label=label value=value /> }).collect_view()}
            <ToForm class="button" part="get-back" link=open />
        </li>
    }
}
