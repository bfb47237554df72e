//! The form with which a payer looks for a transfer. It needs no script.

use leptos::prelude::*;

use super::form_page::{FormPage, Mistake};
use crate::components::{Elsewhere, Sign};
use crate::present::{LookupAnswer, LookupForm, ViewModel};

const TRANSACTION: &str = "transaction";

#[component]
pub fn LookupPage(page: ViewModel, lookup: LookupForm) -> impl IntoView {
    let is_wrong = lookup.answer.as_ref().is_some_and(|answer| answer.code == "no-id");
    view! {
        <FormPage page=page screen="lookup" merchant=lookup.merchant title=lookup.title.to_owned()>
            <p class="hint">{lookup.text}</p>
            <form class="form" method="post" action=lookup.action novalidate>
                <label for="lookup-transaction">{lookup.field}</label>
                <input
                    id="lookup-transaction"
                    type="text"
                    name=TRANSACTION
                    data-part="lookup-transaction"
                    data-value=""
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    dir="ltr"
                    maxlength="300"
                    aria-describedby="lookup-answer"
                    aria-invalid=is_wrong.then_some("true")
                    value=lookup.typed
                />
                <div id="lookup-answer" role="status">
                    {lookup.answer.map(|answer| view! { <Answer answer=answer /> })}
                </div>
                <button type="submit" class="button primary" data-part="look-up" data-value="">
                    {lookup.look_up}
                </button>
            </form>
            <a class="button" data-part="back" data-value="" href=lookup.back.href>
                {lookup.back.label}
            </a>
            {lookup.support.map(|link| view! { <Elsewhere part="support" link=link /> })}
        </FormPage>
    }
}

#[component]
fn Answer(answer: LookupAnswer) -> impl IntoView {
    let LookupAnswer { code, good, texts, pieces, addresses } = answer;
    let line = |text: String| view! { <p>{text}</p> };
    let paid = |address: String| {
        view! {
            <p class="mistake" dir="ltr" translate="no" data-part="paid-address" data-value="">
                <code>{address}</code>
            </p>
        }
    };
    view! {
        <div class=if good { "told good" } else { "told" } data-part="lookup-answer" data-value=code>
            <Sign name=if good { "check" } else { "warning" } />
            <div>{texts.into_iter().map(line).collect_view()}</div>
        </div>
        <Mistake pieces=pieces />
        {addresses
            .map(|(label, addresses)| {
                view! {
                    <p class="hint">{label}</p>
                    {addresses.into_iter().map(paid).collect_view()}
                }
            })}
    }
}
