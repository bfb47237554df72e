//! The wallets of a browser on the page: pictures and axe.

use crate::journeys::browser_wallet::with_wallet;
use crate::support::screenshot::keep_all;
use crate::support::wallet::info;

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
