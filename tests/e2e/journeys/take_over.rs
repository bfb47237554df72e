//! The moment at which the module replaces the server's markup.

use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;
use serde_json::json;
use tokio::time::sleep;

use crate::support::browser::Browser;
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

/// The click of a finger is not in the task in which it is lifted.
const LIFT: &str = "
    pressed.dispatchEvent(new PointerEvent('pointerup', {bubbles: true, pointerType: 'touch'}));
    setTimeout(() => pressed.click(), 100);";

/// Longer than until the module is fetched again, which is after a second and a half.
const FETCHED: Duration = Duration::from_secs(6);

/// The module waits for the end of the press. Then both the form and the module want the page.
fn counts(press: &impl AsyncFn(&Browser), release: &impl AsyncFn(&Browser)) {
    journey(async |stage| {
        stage.browser.expect_in_console("net::ERR_EMPTY_RESPONSE");
        let page = stage.page();
        let proxy = Faulty::before(&stage.gateway.ready.base_url, |line| line.contains(".wasm "));
        proxy.suffer(Fault::Hang);
        let created = stage.gateway.create(&order());
        page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
        let listens = async || stage.browser.run(LISTENS, vec![]).await == json!(true);
        eventually("the page's script hears the press", listens).await;
        press(stage.browser).await;
        proxy.heal();
        sleep(FETCHED).await;
        release(stage.browser).await;
        page.until("offers the network", |page| page.offers("network", "TRX")).await;
    });
}

async fn run(browser: &Browser, script: &str) {
    browser.run(script, vec![]).await;
}

#[test]
fn a_click_at_the_moment_of_the_take_over_counts() {
    counts(&async |browser| run(browser, PRESS).await, &async |browser| run(browser, RELEASE).await);
}

#[test]
fn a_tap_at_the_moment_of_the_take_over_counts() {
    counts(&async |browser| run(browser, PRESS).await, &async |browser| run(browser, LIFT).await);
}

/// The space bar presses a button when it is released.
#[test]
fn a_key_that_is_held_during_the_take_over_counts() {
    let space = async |browser: &Browser, action: KeyAction| {
        let keys = KeyActions::new("keyboard".to_owned()).then(action);
        browser.client.perform_actions(keys).await.expect("a driver has a keyboard");
    };
    let press = async |browser: &Browser| {
        run(browser, "document.querySelector('[data-part=currency][data-value=USDT]').focus()").await;
        space(browser, KeyAction::Down { value: Key::Space.into() }).await;
    };
    counts(&press, &async |browser| space(browser, KeyAction::Up { value: Key::Space.into() }).await);
}
