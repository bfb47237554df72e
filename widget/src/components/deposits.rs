//! The transfers that have arrived, each with its refund.

use leptos::prelude::*;

use super::{Code, Elsewhere, Sign};
use crate::present::{DepositLine, RefundLine};

#[component]
pub fn Deposits(deposits: Vec<DepositLine>) -> impl IntoView {
    let lines = |lines: Vec<DepositLine>| lines.into_iter().map(|line| view! { <Deposit line=line /> });
    (!deposits.is_empty()).then(|| view! { <ul class="deposits">{lines(deposits).collect_view()}</ul> })
}

#[component]
fn Deposit(line: DepositLine) -> impl IntoView {
    let (class, icon) = if line.confirmed { ("badge good", "check") } else { ("badge", "clock") };
    view! {
        <li class="deposit">
            <p class="deposit-head">
                <span>{line.amount}</span>
                <span class=class>
                    <Sign name=icon />
                    {line.status}
                </span>
            </p>
            <p class="deposit-fact">{line.network.map(|network| [&network, " · "].concat())} {line.time}</p>
            <DepositFact label=line.transaction_label value=line.transaction />
            {line.explorer.map(|link| view! { <Elsewhere part="explorer" link=link /> })}
            {line.refund.map(|refund| view! { <Refund refund=refund /> })}
        </li>
    }
}

#[component]
pub fn DepositFact(label: &'static str, value: String) -> impl IntoView {
    view! {
        <p class="deposit-fact">
            {label} " " <Code value=value />
        </p>
    }
}

#[component]
fn Refund(refund: RefundLine) -> impl IntoView {
    let facts = refund.facts.into_iter();
    view! {
        <div class="refund" data-part="refund" data-value=refund.value>
            <p>{refund.text}</p>
            {facts
                .map(|(label, value)| view! { <DepositFact label=label value=value /> })
                .collect_view()}
        </div>
    }
}
