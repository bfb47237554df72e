//! The form with which a payer asks for the receipt by e-mail. It needs no script.

use leptos::prelude::*;

use super::form_page::FormPage;
use crate::components::Sign;
use crate::present::{ReceiptForm, ViewModel};

#[component]
pub fn ReceiptPage(page: ViewModel, form: ReceiptForm) -> impl IntoView {
    let is_wrong = form.answer.as_ref().is_some_and(|(code, ..)| *code == "no-address");
    view! {
        <FormPage page=page screen="receipt" merchant=form.merchant title=form.title.to_owned()>
            <p class="hint">{form.text}</p>
            <form class="form" method="post" action=form.action novalidate>
                <label for="receipt-email">{form.field}</label>
                <input
                    id="receipt-email"
                    type="text"
                    inputmode="email"
                    name="email"
                    data-part="receipt-email"
                    data-value=""
                    autocomplete="email"
                    autocapitalize="off"
                    spellcheck="false"
                    dir="ltr"
                    maxlength="254"
                    aria-describedby="receipt-privacy receipt-answer"
                    aria-invalid=is_wrong.then_some("true")
                    value=form.typed
                />
                <p id="receipt-privacy" class="hint">
                    {form.privacy}
                </p>
                <div id="receipt-answer" role="status">
                    {form
                        .answer
                        .map(|(code, text, good)| {
                            view! {
                                <p class=if good { "told good" } else { "told" } data-part="receipt-answer" data-value=code>
                                    <Sign name=if good { "check" } else { "warning" } />
                                    <span>{text}</span>
                                </p>
                            }
                        })}
                </div>
                <button type="submit" class="button primary" data-part="send-receipt" data-value="">
                    {form.send}
                </button>
            </form>
            <a class="button" data-part="back" data-value="" href=form.back.href>
                {form.back.label}
            </a>
        </FormPage>
    }
}
