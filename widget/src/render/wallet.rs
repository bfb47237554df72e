//! What the page of a payment asks a wallet in the payer's browser.

use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::wallet_page::WalletPage;

use super::started;
use crate::page_data::{Found, LanguageData, PageData};
use crate::page_url::PageUrl;
use crate::present::browser_wallet;
use crate::words;

/// As the page at `url` would show the payment now. `account` is the one of the payer's wallet, once that has named it.
pub fn wallet_page(url: PageUrl, view: Box<CheckoutView>, account: Option<&str>, now: u64) -> WalletPage {
    let translation = words::find(&[url.locale(), Some(&view.payment.locale)]);
    let given = PageData {
        server_time: now,
        language: LanguageData::of(translation, false),
        found: Found::View(view),
    };
    let page = started(url, given);
    browser_wallet(&page, translation, account)
}
