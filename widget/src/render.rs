//! Server-side rendering of the page: the same state machine and components, without a browser.

mod form;
mod format;
mod receipt;
mod wallet;

use leptos::prelude::*;

pub use form::{draw_claim, draw_lookup, draw_receipt};
pub use receipt::{Mail, receipt};
pub use wallet::wallet_page;

use crate::checkout::Checkout;
use crate::event::{Event, What};
use crate::page::Page;
use crate::page_data::{Found, LanguageData, PageData};
use crate::page_url::PageUrl;
use crate::present::{Body, ViewModel, present};
use crate::step::step;
use crate::words;

/// The parts of a page rendered by the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    pub lang: &'static str,
    /// `dir` of the root element.
    pub dir: &'static str,
    /// `data-theme` of the root element.
    pub theme: &'static str,
    pub title: String,
    /// The contents of the page's `#checkout`.
    pub main: String,
    /// A [`PageData`] as JSON, for the script. Every `<` is escaped, so that no text can close the element. `None`
    /// on a page that the script does not follow.
    pub data: Option<String>,
}

/// Renders the page at `url` at the time `now`, in UNIX milliseconds by the gateway's clock. `receipts`: whether payers can ask for one
/// by e-mail.
pub fn draw(url: PageUrl, found: Found, receipts: bool, now: u64) -> Drawing {
    let theme = url.theme().as_str();
    let payment = match &found {
        Found::View(view) => Some(view.payment.locale.as_str()),
        Found::Nothing | Found::Unavailable => None,
    };
    let translation = words::find(&[url.locale(), payment]);
    let given = PageData { server_time: now, language: LanguageData::of(translation, receipts), found };
    let data = serde_json::to_string(&given).expect("texts and numbers are JSON").replace('<', "\\u003c");
    let page = started(url, given);
    let mut model = present(&page, &translation.language(), translation);
    if let (false, Body::Done(done)) = (receipts, &mut model.body) {
        done.receipt = None;
    }
    Drawing {
        lang: translation.tag,
        dir: translation.dir.code(),
        theme,
        title: model.page_title.clone(),
        data: Some(data),
        main: render(model),
    }
}

/// The page when it has just started with what it was given.
fn started(url: PageUrl, given: PageData) -> Page {
    let started = What::Started { url, given: Some(Box::new(given)) };
    step(Page::new(1), Event { at: 0, what: started }).0
}

/// Returns the contents of the page's `#checkout`.
pub fn render(model: ViewModel) -> String {
    Owner::new().with(|| {
        let model = RwSignal::new(model);
        view! { <Checkout model=model dispatch=|_| () /> }.to_html()
    })
}
