//! What the page of a payment asks a wallet in the payer's browser.

use checkout_core::wire::checkout_view::CheckoutView;
use checkout_core::wire::wallet_page::WalletPage;

use crate::event::{Event, What};
use crate::page::Page;
use crate::page_data::{Found, LanguageData, PageData};
use crate::page_url::PageUrl;
use crate::present::browser_wallet;
use crate::step::step;
use crate::words;

/// As the page at `url` would show the payment now. `account` is the one of the payer's wallet, once that has named it.
pub fn wallet_page(url: PageUrl, view: Box<CheckoutView>, account: Option<&str>, now: u64) -> WalletPage {
    let translation = words::find(&[url.locale(), Some(&view.payment.locale)]);
    let given =
        PageData { server_time: now, language: LanguageData::of(translation), found: Found::View(view) };
    let started = What::Started { url, given: Some(Box::new(given)) };
    let (page, _) = step(Page::new(1), Event { at: 0, what: started });
    browser_wallet(&page, translation, account)
}
