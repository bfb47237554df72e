//! A page that the browser translates: it puts elements of its own in the place of every text.

use serde_json::json;

use crate::support::gateway::order;
use crate::support::sandbox::share;
use crate::support::snapshot::Snapshot;
use crate::support::stage::journey;
use crate::support::wait::eventually;

/// Does to the texts what Chrome does, in pig Latin.
pub(crate) const TRANSLATE: &str = "
    const walker = document.createTreeWalker(document.getElementById('checkout'), NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
        if (!text.data.trim() || text.parentElement.closest('[translate=no], font')) continue;
        const font = document.createElement('font');
        font.append(Object.assign(document.createElement('font'), { textContent: text.data + ' ay' }));
        text.replaceWith(font);
    }";

pub(crate) const TIME_LEFT: &str = "return document.querySelector('[data-part=countdown]').textContent";

#[test]
fn a_translated_page_shows_what_changes() {
    journey(async |stage| {
        let (page, browser) = (stage.page(), stage.browser);
        let payment = stage.open_and_choose(&order(), "LTC", "LTC").await;
        page.until_alive().await;
        let translate = async || drop(browser.run(TRANSLATE, vec![]).await);

        translate().await;
        let before = browser.run(TIME_LEFT, vec![]).await;
        eventually("the countdown runs", async || browser.run(TIME_LEFT, vec![]).await != before).await;
        browser.run("document.querySelector('[data-part=copy-amount]').focus()", vec![]).await;
        page.click("copy-amount").await;
        page.until("says that it is copied", |page| page.text.contains("Copied")).await;
        let focused = "return document.activeElement.dataset.part ?? null";
        assert_eq!(browser.run(focused, vec![]).await, json!("copy-amount"));

        let (part, rest) = share(&payment, 1, 3);
        translate().await;
        stage.gateway.transfer(&payment, &part);
        stage.gateway.mine(&payment);
        let partial =
            page.until("waits for the rest", |page| page.text.contains("Waiting for the rest")).await;
        assert!(!partial.text.contains("Amount to send") && partial.text.contains(&rest), "{}", partial.text);

        translate().await;
        stage.gateway.transfer(&payment, &part);
        stage.gateway.mine(&payment);
        let less = |page: &Snapshot| page.is("partial") && !page.text.contains(&rest);
        let partial = page.until("asks for less", less).await;
        let due = partial.value("remaining").expect("a rest").to_owned();
        assert!(partial.text.contains(&due), "{}", partial.text);
        translate().await;
        stage.gateway.transfer(&payment, &due);
        page.until_screen("seen").await;
        translate().await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
    });
}
