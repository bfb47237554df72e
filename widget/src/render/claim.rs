//! The page on which a payer asks for money back.

use checkout_core::wire::checkout_view::CheckoutView;
use leptos::prelude::*;

use super::Drawing;
use crate::event::{Event, What};
use crate::page::Page;
use crate::page_data::{Found, LanguageData, PageData};
use crate::page_url::PageUrl;
use crate::present::{self, TypedClaim, present};
use crate::screens::ClaimPage;
use crate::step::step;
use crate::words;

/// Renders the form, or the look at what was typed. `None` if nothing of this id can be asked for.
pub fn draw_claim(url: PageUrl, view: Box<CheckoutView>, typed: &TypedClaim, now: u64) -> Option<Drawing> {
    let theme = url.theme().as_str();
    let translation = words::find(&[url.locale(), Some(&view.payment.locale)]);
    let given =
        PageData { server_time: now, language: LanguageData::of(translation), found: Found::View(view) };
    let started = What::Started { url, given: Some(Box::new(given)) };
    let (page, _) = step(Page::new(1), Event { at: 0, what: started });
    let claim = present::claim(&page, translation, typed)?;
    let frame = present(&page, &translation.language(), translation);
    Some(Drawing {
        lang: translation.tag,
        dir: translation.dir.code(),
        theme,
        title: claim.title.clone(),
        main: Owner::new().with(|| view! { <ClaimPage page=frame claim=claim /> }.to_html()),
        data: None,
    })
}
