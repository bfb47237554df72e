use fantoccini::key::Key;
use serde_json::json;

use crate::support::browser::Browser;
use crate::support::developer::Developer;
use crate::support::gateway::order;
use crate::support::keys::{press, tab_to};
use crate::support::stage::journey;

/// Presses a key that decides, once the screen has stood for half a second.
async fn decide(browser: &Browser, key: Key) {
    let script = "return document.querySelector('.settling') !== null";
    while browser.run(script, vec![]).await == true {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    press(browser, key).await;
}

/// A dialog of the console opens, shows errors, and returns the focus when it closes.
#[test]
fn an_address_is_whitelisted_by_keyboard() {
    journey(async |stage| {
        stage.browser.expect_in_console("the server responded with a status of 422");
        let console = Developer::open(stage).await;
        let (browser, page) = (stage.browser, console.page);
        console.go("money").await;
        let focus = async |part: &str| {
            let script = "return document.activeElement?.dataset.part ?? ''";
            assert_eq!(browser.run(script, vec![]).await, json!(part));
        };
        tab_to(browser, "[data-part=whitelist]").await;
        press(browser, Key::Enter).await;
        console.until("shows the form", |page| page.shown("whitelist-address").is_some()).await;
        focus("whitelist-pair").await;
        press(browser, Key::Escape).await;
        console.until("shows no form", |page| page.shown("whitelist-address").is_none()).await;
        focus("whitelist").await;
        press(browser, Key::Enter).await;
        console.until("shows the form", |page| page.shown("whitelist-address").is_some()).await;
        tab_to(browser, "[data-part=whitelist-address]").await;
        let field = browser.client.active_element().await.expect("the field has the focus");
        field.send_keys("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN").await.expect("it takes keys");
        press(browser, Key::Enter).await;
        console.until("shows the error", |page| page.shown("field-fault").is_some()).await;
        focus("whitelist-address").await;
        field.send_keys("2").await.expect("it takes keys");
        press(browser, Key::Enter).await;
        console.until("lists it", |page| page.parts.contains_key("whitelisted")).await;
        page.until("shows no form", |page| page.shown("whitelist-address").is_none()).await;
        focus("whitelist").await;
    });
}

#[test]
fn a_payment_is_made_by_keyboard() {
    journey(async |stage| {
        let (browser, page) = (stage.browser, stage.page());
        let created = stage.open(&order()).await;
        page.until_screen("choose").await;
        tab_to(browser, "[data-part=currency][data-value=USDT]").await;
        decide(browser, Key::Enter).await;
        page.until("offers networks", |page| page.offers("network", "BSC")).await;
        tab_to(browser, "[data-part=network][data-value=BSC]").await;
        decide(browser, Key::Enter).await;
        page.until_screen("pay").await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        assert_eq!(payment.expected_network.as_deref(), Some("BSC"));

        tab_to(browser, "[data-part=copy-address]").await;
        decide(browser, Key::Enter).await;
        page.until("shows that it is copied", |page| {
            page.shown("copy-address").is_some_and(|button| button.text.contains("Copied"))
        })
        .await;
        assert_eq!(Some(browser.clipboard().await), payment.wallet_address);
        let with_address = page.scan().await;
        tab_to(browser, "[data-part=qr-mode]").await;
        decide(browser, Key::Space).await;
        page.until("shows another code", |now| now.value("qr").is_some_and(|qr| qr != with_address)).await;
    });
}
