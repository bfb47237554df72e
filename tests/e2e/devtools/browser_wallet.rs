//! The wallets of a browser on the page: pictures and axe.

use serde_json::json;

use crate::journeys::browser_wallet::with_wallet;
use crate::support::browser::PHONE;
use crate::support::screenshot::keep_all;
use crate::support::wait::eventually;
use crate::support::wallet::info;

/// Also before the links that open wallets elsewhere.
#[test]
fn on_a_phone_the_wallet_of_the_browser_comes_first_and_after_it_has_sent_the_rest_is_dim() {
    with_wallet("browser-wallet-phone", async |visit, _, page, mut wallet, _| {
        let browser = visit.stage.browser;
        browser.view(PHONE).await;
        wallet.offer().await;
        page.until("offers the wallet", |page| page.shown("wallet").is_some()).await;
        let first = "return [...document.querySelectorAll('.pay :is(a, button)')].filter((control) => control.checkVisibility())
            .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0].dataset.part";
        assert_eq!(browser.run(first, vec![]).await, json!("wallet"));
        let dim = "return ['.facts', '.scan', '.wallets', '.pay-foot'].map(
            (part) => getComputedStyle(document.querySelector('.pay > ' + part)).opacity < 0.5)";
        assert_eq!(browser.run(dim, vec![]).await, json!([false, false, false, false]));
        wallet.press().await;
        wallet.says("sent").await;
        eventually("what would be paid again is dim", async || {
            browser.run(dim, vec![]).await == json!([true, true, false, false])
        })
        .await;
        keep_all(browser, "browser-wallet-phone-sent").await;
    });
}

#[test]
fn wallets_on_every_device() {
    with_wallet("browser-wallet-screens", async |visit, _, page, mut wallet, _| {
        let browser = visit.stage.browser;
        let url = page.until_alive().await.url;
        assert!(url.contains("theme=LIGHT"), "{url}");
        page.open(&url.replace("theme=LIGHT", "theme=AUTO")).await;
        browser.until_live().await;
        wallet.offer().await;
        wallet.announce(info("A wallet with a name that is rather long", "")).await;
        page.until("offers both", |page| page.parts.get("wallet").is_some_and(|all| all.len() == 2)).await;
        keep_all(browser, "browser-wallet").await;
        wallet.press().await;
        wallet.says("sent").await;
        keep_all(browser, "browser-wallet-sent").await;
    });
}
