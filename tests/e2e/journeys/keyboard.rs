use checkout_wire::Payment;
use fantoccini::key::Key;

use crate::support::browser::Browser;
use crate::support::developer::Developer;
use crate::support::gateway::order;
use crate::support::keys::{press, tab_to};
use crate::support::page::Page;
use crate::support::stage::journey;

/// Presses a key that decides, once the screen has stood for half a second.
async fn decide(browser: &Browser, key: Key) {
    let script = "return document.querySelector('.settling') !== null";
    while browser.run(script, vec![]).await == true {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    press(browser, key).await;
}

/// A payment by the keyboard alone, in the desk's drawer.
#[test]
fn a_payment_is_simulated_by_keyboard() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let browser = stage.browser;
        tab_to(browser, "[data-part=new-payment] summary").await;
        press(browser, Key::Enter).await;
        tab_to(browser, "[data-part=new-payment] [name=displayAmount]").await;
        press(browser, Key::Enter).await;
        developer.until("has no currency", |page| page.value("open-payment") == Some("NEW")).await;
        tab_to(browser, "[data-part=choose-send]").await;
        press(browser, Key::Enter).await;
        developer.until_status("PENDING").await;
        tab_to(browser, "[data-part=pay-exact]").await;
        press(browser, Key::Enter).await;
        developer.until_status("AWAITING").await;
        // From the last stop on, Firefox goes through its own window, and keeps the keys there.
        browser.run("document.querySelector('a').focus()", vec![]).await;
        tab_to(browser, "[data-part=simulator]").await;
        press(browser, Key::Enter).await;
        developer.until("is closed", |page| page.shown("open-payment").is_none()).await;
    });
}

/// From the choice to the address in the clipboard.
pub(crate) async fn is_made(page: Page<'_>, network: &str, payment: impl Fn() -> Payment) {
    let browser = page.browser;
    page.until_screen("choose").await;
    tab_to(browser, "[data-part=currency][data-value=USDT]").await;
    decide(browser, Key::Enter).await;
    page.until("offers networks", |page| page.offers("network", network)).await;
    tab_to(browser, &format!("[data-part=network][data-value={network}]")).await;
    decide(browser, Key::Enter).await;
    page.until_screen("pay").await;
    let payment = payment();
    assert_eq!(payment.expected_network.as_deref(), Some(network));

    tab_to(browser, "[data-part=copy-address]").await;
    decide(browser, Key::Enter).await;
    page.until("shows that it is copied", |page| {
        page.shown("copy-address").is_some_and(|button| button.text.contains("Copied"))
    })
    .await;
    assert_eq!(Some(browser.clipboard().await), payment.wallet_address);
}

#[test]
fn a_payment_is_made_by_keyboard() {
    journey(async |stage| {
        let (browser, page) = (stage.browser, stage.page());
        let created = stage.open(&order()).await;
        is_made(page, "BSC", || stage.gateway.payment(&created.payment_info.payment_id)).await;
        let with_address = page.scan().await;
        tab_to(browser, "[data-part=qr-mode]").await;
        decide(browser, Key::Space).await;
        page.until("shows another code", |now| now.value("qr").is_some_and(|qr| qr != with_address)).await;
    });
}
