//! The page in every language on the narrowest screen.

use serde_json::json;

use super::browser::{Browser, DESKTOP, PHONE, Viewport};
use super::page::Page;
use super::{axe, extent, figures, screenshot};

/// Locales with longer words, and right to left.
pub(crate) const PSEUDO: [&str; 2] = ["en-XA", "en-XB"];

/// 320 px with a classic scroll bar.
pub(crate) const NARROW: Viewport = Viewport { width: 320, height: 640, phone: false };

/// Opens the same screen in its languages and checks for overflow. Axe reads the longest words and those from right to
/// left: its rules see roles, colours and sizes, which the other languages share with them.
pub(crate) async fn fits_in_every_language(browser: &Browser, name: &str) {
    let page = Page { browser };
    let here = page.look().await.expect("a page is open");
    let screen = here.screen.clone().expect("the checkout is open");
    browser.view(NARROW).await;
    for locale in extent::locales() {
        page.open(&with_locale(&here.url, locale)).await;
        page.until_screen(&screen).await;
        assert_eq!(language(browser).await, locale);
        fits(browser, &format!("{name} in {locale}")).await;
        if PSEUDO.contains(&locale) {
            axe::check(browser, &format!("{name} in {locale}")).await;
            browser.view(PHONE).await;
            screenshot::keep(browser, &format!("{name}-{}-{locale}", PHONE.width)).await;
            browser.view(NARROW).await;
        }
    }
    page.open(&with_locale(&here.url, "de-DE")).await;
    page.until_screen(&screen).await;
    figures::check_german(browser, name).await;
    browser.view(DESKTOP).await;
    page.open(&here.url).await;
    page.until_screen(&screen).await;
}

/// Asserts that nothing overflows the screen.
pub(crate) async fn fits(browser: &Browser, name: &str) {
    let out = screenshot::out(browser).await;
    assert_eq!(out, 0, "{name} overflows by {out} px");
}

/// The URL with another locale.
pub(crate) fn with_locale(url: &str, locale: &str) -> String {
    let (path, query) = url.split_once('?').expect("the page has a query");
    let others = query.split('&').filter(|pair| !pair.starts_with("locale="));
    let query = others.chain([format!("locale={locale}").as_str()]).collect::<Vec<_>>().join("&");
    format!("{path}?{query}")
}

/// `lang` of the page.
pub(crate) async fn language(browser: &Browser) -> String {
    let language = browser.run("return document.documentElement.lang", vec![]).await;
    language.as_str().expect("a text").to_owned()
}

/// Sets the browser's font size in pixels; the default is 16.
pub(crate) async fn font_size(browser: &Browser, pixels: u32) {
    browser.devtools("Page.setFontSizes", json!({"fontSizes": {"standard": pixels, "fixed": pixels}})).await;
}
