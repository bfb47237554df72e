//! The forms that only the server draws: the payer asks for money back or a receipt, or looks for a transfer.

use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::rules::Finding;
use leptos::prelude::*;

use super::{Drawing, started};
use crate::page::Page;
use crate::page_data::{Found, LanguageData, PageData};
use crate::page_url::PageUrl;
use crate::present::{self, Requested, TypedClaim, ViewModel, present};
use crate::screens::{ClaimPage, LookupPage, ReceiptPage};
use crate::words::{self, Translation};

/// Renders the form of a claim, or the look at what was typed. `None` if nothing of this id can be asked for.
pub fn draw_claim(url: PageUrl, view: Box<CheckoutView>, typed: &TypedClaim, now: u64) -> Option<Drawing> {
    let form = FormFrame::new(url, view, now);
    let claim = present::claim(&form.page, form.translation, typed)?;
    let frame = form.frame();
    Some(form.drawing(claim.title.clone(), || view! { <ClaimPage page=frame claim=claim /> }.to_html()))
}

/// Renders the form that looks for a transfer, with what was found. `None` where transactions cannot be looked up.
pub fn draw_lookup(
    url: PageUrl,
    view: Box<CheckoutView>,
    (typed, finding): (&str, Option<&Finding>),
    now: u64,
) -> Option<Drawing> {
    let form = FormFrame::new(url, view, now);
    let lookup = present::lookup(&form.page, form.translation, typed, finding)?;
    let frame = form.frame();
    Some(
        form.drawing(lookup.title.to_owned(), || view! { <LookupPage page=frame lookup=lookup /> }.to_html()),
    )
}

/// Renders the form that asks for a receipt, with what became of the request. `None` if the payment is not paid.
pub fn draw_receipt(
    url: PageUrl,
    view: Box<CheckoutView>,
    (typed, answer): (&str, Option<Requested>),
    now: u64,
) -> Option<Drawing> {
    let frame = FormFrame::new(url, view, now);
    let form = present::receipt_form(&frame.page, frame.translation, typed, answer)?;
    let page = frame.frame();
    Some(frame.drawing(form.title.to_owned(), || view! { <ReceiptPage page=page form=form /> }.to_html()))
}

/// The page of the payment, around the form.
struct FormFrame {
    page: Page,
    translation: &'static Translation,
    theme: &'static str,
}

impl FormFrame {
    fn new(url: PageUrl, view: Box<CheckoutView>, now: u64) -> Self {
        let theme = url.theme().as_str();
        let translation = words::find(&[url.locale(), Some(&view.payment.locale)]);
        let language = LanguageData::of(translation, false);
        let given = PageData { server_time: now, language, found: Found::View(view) };
        let page = started(url, given);
        Self { page, translation, theme }
    }

    fn frame(&self) -> ViewModel {
        present(&self.page, &self.translation.language(), self.translation)
    }

    fn drawing(&self, title: String, main: impl FnOnce() -> String) -> Drawing {
        Drawing {
            lang: self.translation.tag,
            dir: self.translation.dir.code(),
            theme: self.theme,
            title,
            main: Owner::new().with(main),
            data: None,
        }
    }
}
