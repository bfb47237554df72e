//! What a payer does beside paying: the journeys of the hosted page, in front of other servers.

use serde_json::json;

use crate::support::asking::asks_for;
use crate::support::extent::in_turn;
use crate::support::kit::{KINDS, KitStage, before_each_server};
use crate::support::stage::with_browser;
use crate::support::wait::eventually;
use crate::support::{frame, languages};

#[test]
fn a_reload_keeps_the_state() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        page.reload().await;
        asks_for(&page.until_screen("pay").await, &payment);
        for (status, deposit, screen) in
            [("AWAITING", "UNCONFIRMED", "seen"), ("DEPOSITED", "CONFIRMED", "paid")]
        {
            stage.pay(&payment, status, deposit);
            page.until_screen(screen).await;
            page.reload().await;
            page.until_screen(screen).await;
        }
    });
}

#[test]
fn the_language_is_switched_on_the_page() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        page.click("locale").await;
        page.click_on("[data-locale=de-DE]").await;
        page.until("is in German", |page| page.text.contains("Senden Sie nur BTC")).await;
        assert_eq!(languages::language(stage.browser).await, "de-DE");
        stage.pay(&payment, "AWAITING", "UNCONFIRMED");
        let seen = page.until_screen("seen").await;
        assert!(seen.text.contains("Wir haben Ihre Transaktion erkannt"), "{}", seen.text);
    });
}

#[test]
fn the_theme_of_the_link_decides() {
    before_each_server(&async |stage| {
        let link = stage.server.create(&json!({}));
        for (theme, background) in [("LIGHT", "rgb(243, 245, 248)"), ("DARK", "rgb(13, 16, 21)")] {
            let id = &link.payment_id;
            let url = link.url.replace("&theme=LIGHT", "").replace(id, &format!("{id}&theme={theme}"));
            stage.page().open("about:blank").await;
            stage.page().open(&url).await;
            stage.page().until_screen("choose").await;
            let painted = "return getComputedStyle(document.documentElement).backgroundColor";
            assert_eq!(stage.browser.run(painted, vec![]).await, json!(background), "{theme}");
        }
    });
}

#[test]
fn a_choice_in_another_tab_is_shown() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let link = stage.open(json!({})).await;
        page.choose("BTC", "BTC").await;
        let here = stage.browser.client.window().await.expect("a tab is open");
        stage.browser.tab(&link.url).await;
        page.click("change-currency").await;
        page.choose("LTC", "LTC").await;
        stage.browser.client.close_window().await.expect("a tab can be closed");
        stage.browser.switch(&here).await;
        let shown = page.until("asks for LTC", |page| page.value("currency") == Some("LTC")).await;
        asks_for(&shown, &stage.server.payment(&link.payment_id));
    });
}

#[test]
fn a_deposit_after_the_end_still_counts() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        stage.server.set(&payment.payment_id, &json!({"status": "EXPIRED"}));
        page.until_screen("expired").await;
        stage.pay(&payment, "AWAITING", "UNCONFIRMED");
        page.until_screen("seen").await;
        stage.pay(&payment, "DEPOSITED", "CONFIRMED");
        page.until_screen("paid").await;
    });
}

#[test]
fn a_dialog_asks_before_it_closes_a_payment_under_way() {
    const FRAME: &str = "document.querySelector('crypto-checkout').shadowRoot.querySelector('iframe')";
    const ASKS: &str =
        "return document.querySelector('crypto-checkout').shadowRoot.querySelector('[part=ask]') != null";
    for kind in in_turn(&KINDS) {
        with_browser(async |browser| {
            let stage = KitStage::open_at(kind, browser, |_| json!({}));
            let link = stage.server.create(&json!({}));
            stage.files.put_shop(format!(
                "<!doctype html><title>Shop</title><link rel=icon href='data:,'><script>window.heard = [];
                 addEventListener('checkout:status', ({{ detail }}) => heard.push(detail.status))</script>
                 <script src='/pay/embed.js' defer></script>
                 <crypto-checkout mode=modal payment-url='{}'></crypto-checkout>",
                link.url.replace('&', "&amp;")
            ));
            browser.goto(&stage.files.origin).await;
            frame::enter(browser, FRAME).await;
            stage.page().choose("BTC", "BTC").await;
            browser.top().await;
            let is_told = "return heard.includes('PENDING')";
            eventually("the dialog knows", async || browser.run(is_told, vec![]).await == json!(true)).await;
            let cross =
                "document.querySelector('crypto-checkout').shadowRoot.querySelector('[part=close]').click()";
            browser.run(cross, vec![]).await;
            assert_eq!(browser.run(ASKS, vec![]).await, json!(true), "{kind:?}");
            browser.seal_console().await;
        });
    }
}
