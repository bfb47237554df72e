//! The moment at which the module replaces the server's markup.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::support::faulty::{Fault, Faulty};
use crate::support::gateway::order;
use crate::support::stage::journey;
use crate::support::wait::eventually;

/// The page's script has run and hears the press. It runs after the page was read.
const LISTENS: &str = "return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd > 0";

const PRESS: &str = "
    window.pressed = document.querySelector('[data-part=currency][data-value=USDT]');
    pressed.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));";

const RELEASE: &str = "
    pressed.dispatchEvent(new PointerEvent('pointerup', {bubbles: true}));
    pressed.click();";

/// The module waits for the end of the press. Then both the form and the module want the page.
#[test]
fn a_click_at_the_moment_of_the_take_over_counts() {
    journey(async |stage| {
        stage.browser.expect_in_console("net::ERR_EMPTY_RESPONSE");
        let page = stage.page();
        let proxy = Faulty::before(&stage.gateway.ready.base_url, |line| line.contains(".wasm "));
        proxy.suffer(Fault::Hang);
        let created = stage.gateway.create(&order());
        page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
        let listens = async || stage.browser.run(LISTENS, vec![]).await == json!(true);
        eventually("the page's script hears the press", listens).await;
        stage.browser.run(PRESS, vec![]).await;
        proxy.heal();
        // The module is fetched again after a second and a half.
        sleep(Duration::from_secs(6)).await;
        stage.browser.run(RELEASE, vec![]).await;
        page.until("offers the network", |page| page.offers("network", "TRX")).await;
    });
}
