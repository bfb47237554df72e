//! The form with which a payer asks for money back. It needs no script; `www/claim.js` has what is typed checked at once.

use leptos::either::Either;
use leptos::prelude::*;

use super::form_page::{FormPage, Mistake};
use crate::claim::ClaimFields;
use crate::components::{Code, Notice, Sign};
use crate::page_url::CLAIM;
use crate::present::{Claim, ClaimForm, ClaimReview, ClaimStep, Feedback, OwnWallet, ViewModel};

const ADDRESS: &str = "to";
const TAG: &str = "tag";
/// The button that shows the address once more.
const REVIEW: &str = "review";
/// The button that asks for the money.
const ASK: &str = "ask";

/// What a form sends, and where.
#[derive(Clone)]
struct Sent {
    action: String,
    id: String,
    address: String,
    tag: String,
}

/// The whole page: the frame of the payment's page with the form.
#[component]
pub fn ClaimPage(page: ViewModel, claim: Claim) -> impl IntoView {
    let sent = Sent { action: claim.action, id: claim.id, address: claim.address, tag: claim.tag };
    let is_review = matches!(claim.step, ClaimStep::Review(_));
    let screen = if is_review { "claim-review" } else { "claim" };
    view! {
        <FormPage page=page screen=screen merchant=claim.merchant title=claim.title>
            {(!claim.text.is_empty()).then(|| view! { <p class="hint">{claim.text}</p> })}
            {claim.notice.map(|text| view! { <Notice part="notice" text=text /> })}
            {match claim.step {
                ClaimStep::Form(form) => Either::Left(view! { <Form form=*form sent=sent /> }),
                ClaimStep::Review(review) => {
                    Either::Right(view! { <Review review=review sent=sent /> })
                }
            }}
        </FormPage>
    }
}

/// The buttons stand apart from the form that they send, so that Enter reviews and takes no suggestion.
#[component]
fn Form(form: ClaimForm, sent: Sent) -> impl IntoView {
    let wrong = |of_tag| form.feedback.as_ref().is_some_and(|told| !told.valid && told.is_of_tag == of_tag);
    let (address_is_wrong, tag_is_wrong) = (wrong(false), wrong(true));
    view! {
        {form.own_wallet.map(|own| view! { <Own own=own sent=sent.clone() /> })}
        <form id="claim-form" class="form" method="post" action=sent.action.clone() novalidate>
            <input type="hidden" name=CLAIM value=sent.id.clone() />
            <Input name=ADDRESS label=form.address_label text=sent.address.clone() wrong=address_is_wrong />
            {form
                .tag
                .map(|(label, hint)| {
                    view! {
                        <Input name=TAG label=label text=sent.tag.clone() wrong=tag_is_wrong />
                        <p class="hint">{hint}</p>
                    }
                })}
        </form>
        <div id="claim-feedback" aria-live="polite">
            {form
                .feedback
                .map(|feedback| view! { <Told feedback=feedback sent=sent /> })}
        </div>
        <button
            type="submit"
            form="claim-form"
            name=REVIEW
            value="1"
            class="button primary"
            data-part="claim-next"
            data-value=""
        >
            {form.next}
        </button>
        <a class="button" data-part="back" data-value="" href=form.back.href>
            {form.back.label}
        </a>
    }
}

/// One press sends it back where it came from.
#[component]
fn Own(own: OwnWallet, sent: Sent) -> impl IntoView {
    let OwnWallet { question, label, sender, yes, otherwise } = own;
    let sent = Sent { address: sender.clone(), tag: String::new(), ..sent };
    let action = sent.action.clone();
    view! {
        <p>{question}</p>
        <dl class="rows">
            <div class="long">
                <dt>{label}</dt>
                <dd>
                    <Code value=sender />
                </dd>
            </div>
        </dl>
        <form class="form" method="post" action=action>
            <Fields sent=sent />
            <button
                type="submit"
                name=ASK
                value="1"
                class="button"
                data-part="claim-own"
                data-value=""
            >
                {yes}
            </button>
        </form>
        <p class="hint">{otherwise}</p>
    }
}

#[component]
fn Input(name: &'static str, label: String, text: String, wrong: bool) -> impl IntoView {
    let id = ["claim-", name].concat();
    view! {
        <label for=id.clone()>{label}</label>
        <input
            id=id.clone()
            type="text"
            name=name
            data-part=id
            data-value=""
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            dir="ltr"
            maxlength="200"
            aria-describedby="claim-feedback"
            aria-invalid=wrong.then_some("true")
            value=text
        />
    }
}

#[component]
fn Told(feedback: Feedback, sent: Sent) -> impl IntoView {
    let Feedback { valid, text, pieces, suggestion, .. } = feedback;
    view! {
        <p
            class=if valid { "told good" } else { "told" }
            data-part="claim-feedback"
            data-value=if valid { "valid" } else { "wrong" }
        >
            <Sign name=if valid { "check" } else { "warning" } />
            <span>{text}</span>
        </p>
        <Mistake pieces=pieces />
        {suggestion
            .map(|(label, ClaimFields { address, tag })| {
                let action = sent.action.clone();
                let sent = Sent { address, tag, ..sent };
                view! {
                    <form method="post" action=action>
                        <Fields sent=sent />
                        <button type="submit" class="suggestion" data-part="suggestion" data-value="">
                            {label}
                        </button>
                    </form>
                }
            })}
    }
}

#[component]
fn Fields(sent: Sent) -> impl IntoView {
    view! {
        <input type="hidden" name=CLAIM value=sent.id />
        <input type="hidden" name=ADDRESS value=sent.address />
        <input type="hidden" name=TAG value=sent.tag />
    }
}

#[component]
fn Review(review: ClaimReview, sent: Sent) -> impl IntoView {
    let ClaimReview { rows, warning, ask, change } = review;
    let action = sent.action.clone();
    let row = |(label, value, code): (String, String, bool)| {
        let value = if code { Either::Left(view! { <Code value=value /> }) } else { Either::Right(value) };
        view! {
            <div class=if code { "long" } else { "" }>
                <dt>{label}</dt>
                <dd>{value}</dd>
            </div>
        }
    };
    view! {
        <dl class="rows">{rows.into_iter().map(row).collect_view()}</dl>
        <p class="notice">
            <Sign name="warning" />
            <span>{warning}</span>
        </p>
        <form class="form" method="post" action=action>
            <Fields sent=sent />
            <button
                type="submit"
                name=ASK
                value="1"
                class="button primary"
                data-part="claim-ask"
                data-value=""
            >
                {ask}
            </button>
            <button type="submit" class="button" data-part="back" data-value="">
                {change}
            </button>
        </form>
    }
}
