//! The checkout in a dialog over a merchant's page.

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::screenshot;
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";

/// A long page with a button and a checkout with these attributes.
async fn shop(stage: &mut Stage<'_>, attributes: &str) -> (Merchant, String) {
    let (listener, origin) = Merchant::reserve();
    stage.gateway.become_business(&["--origin", &origin]);
    let created = stage.gateway.create(&order());
    let page = format!(
        "<!doctype html><title>Shop</title><script type=module src='{}/embed.js'></script>
         <button id=pay style='position: fixed'>Pay</button><div style='height: 5000px'>Teapots</div>
         <crypto-checkout mode=modal {attributes} payment-url='{}'></crypto-checkout>
         <script>window.heard = []; window.answers = [];
           addEventListener('message', ({{ data }}) => answers.push(data));
           for (const type of ['ready', 'status', 'close']) addEventListener('checkout:' + type, (event) => heard.push(event.detail?.status ?? type));
         </script>",
        stage.gateway.ready.base_url,
        created.payment_url.replace('&', "&amp;")
    );
    let merchant = Merchant::open_at(listener, &page);
    stage.browser.goto(&merchant.origin).await;
    (merchant, created.payment_info.payment_id.to_string())
}

/// Runs a script in which `dialog` is the dialog.
async fn with_dialog(browser: &Browser, script: &str) -> Value {
    let dialog =
        "const dialog = document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('dialog');";
    browser.run(&format!("{dialog} {script}"), vec![]).await
}

async fn until_open(browser: &Browser, expected: bool) {
    let what = format!("the dialog is open: {expected}");
    eventually(&what, async || with_dialog(browser, "return !!dialog?.open").await == json!(expected)).await;
}

/// Sends what the loader has sent before.
const GREET_AGAIN: &str = "const { protocol, version, instance } = answers[0];
    answers.length = 0;
    const frame = document.querySelector('crypto-checkout').shadowRoot.querySelector('iframe');
    frame.contentWindow.postMessage({ protocol, version, instance, type: 'hello' }, '*');";

/// A press at the left edge of the window, beside the dialog.
const PRESS_BESIDE: &str =
    "dialog.dispatchEvent(new MouseEvent('click', { clientX: 1, clientY: 1, bubbles: true }));
     return [dialog.open, !!dialog.querySelector('[part=ask]')];";

#[test]
fn the_page_behind_a_dialog_does_not_scroll() {
    journey(async |stage| {
        let browser = stage.browser;
        let _merchant = shop(stage, "").await;
        until_open(browser, true).await;
        let overflow = "return getComputedStyle(document.documentElement).overflowY";
        assert_eq!(browser.run(overflow, vec![]).await, json!("hidden"));
        browser.run("document.querySelector('crypto-checkout').close()", vec![]).await;
        eventually("it scrolls again", async || browser.run(overflow, vec![]).await == json!("visible"))
            .await;
        browser.run("document.querySelector('crypto-checkout').open()", vec![]).await;
        assert_eq!(browser.run(overflow, vec![]).await, json!("hidden"));
        browser.run("document.querySelector('crypto-checkout').remove()", vec![]).await;
        eventually("it scrolls without the element", async || {
            browser.run(overflow, vec![]).await == json!("visible")
        })
        .await;
    });
}

#[test]
fn a_press_beside_the_dialog_closes_it_and_asks_when_a_payment_is_under_way() {
    journey(async |stage| {
        let browser = stage.browser;
        let (_merchant, id) = shop(stage, "").await;
        frame::enter(browser, FRAME).await;
        stage.page().until_screen("choose").await;
        browser.top().await;
        assert_eq!(with_dialog(browser, PRESS_BESIDE).await, json!([false, false]), "nothing is chosen");
        let inside = "dialog.showModal();
            const { left, top } = dialog.getBoundingClientRect();
            dialog.dispatchEvent(new MouseEvent('click', { clientX: left + 5, clientY: top + 5 }));
            return dialog.open;";
        assert_eq!(with_dialog(browser, inside).await, json!(true), "a press inside closes nothing");

        stage.gateway.choose(&id, "BTC");
        eventually("the page hears of the choice", async || {
            browser.run("return heard.includes('PENDING')", vec![]).await == json!(true)
        })
        .await;
        assert_eq!(with_dialog(browser, PRESS_BESIDE).await, json!([true, true]), "it asks");
        let focused = "return dialog.getRootNode().activeElement?.getAttribute('part')";
        assert_eq!(with_dialog(browser, focused).await, json!("stay"));
        with_dialog(browser, "dialog.querySelector('[part=stay]').click()").await;
        assert_eq!(
            with_dialog(browser, "return [dialog.open, !!dialog.querySelector('[part=ask]')]").await,
            json!([true, false])
        );
        let escape = "return [dialog.dispatchEvent(new Event('cancel', { cancelable: true })), dialog.open]";
        assert_eq!(with_dialog(browser, escape).await, json!([false, true]), "Escape asks, too");
        with_dialog(browser, "dialog.querySelector('[part=leave]').click()").await;
        until_open(browser, false).await;
        eventually("the question goes with the dialog", async || {
            with_dialog(browser, "return !!dialog.querySelector('[part=ask]')").await == json!(false)
        })
        .await;
    });
}

const ESCAPE: &str = "dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))";

/// The same question whichever way the customer leaves, and the second attempt answers it.
#[test]
fn the_cross_and_escape_inside_the_frame_ask_too() {
    journey(async |stage| {
        let browser = stage.browser;
        let (_merchant, id) = shop(stage, "").await;
        stage.gateway.choose(&id, "BTC");
        eventually("the page hears of the choice", async || {
            browser.run("return heard.includes('PENDING')", vec![]).await == json!(true)
        })
        .await;
        for way in ["cross", "escape"] {
            let leave = async || {
                if way == "cross" {
                    drop(with_dialog(browser, "dialog.querySelector('[part=close]').click()").await);
                    return;
                }
                frame::enter(browser, FRAME).await;
                browser.run(ESCAPE, vec![]).await;
                browser.top().await;
            };
            let state = async |expected: Value| {
                let state = "return [dialog.open, !!dialog.querySelector('[part=ask]')]";
                eventually(way, async || with_dialog(browser, state).await == expected).await;
            };
            leave().await;
            state(json!([true, true])).await;
            leave().await;
            state(json!([false, false])).await;
            with_dialog(browser, "document.querySelector('crypto-checkout').open()").await;
            state(json!([true, false])).await;
        }
    });
}

#[test]
fn a_button_of_the_page_opens_the_dialog() {
    journey(async |stage| {
        let browser = stage.browser;
        let _merchant = shop(stage, "open-on=pay").await;
        let defined = "return !!document.querySelector('crypto-checkout').shadowRoot";
        eventually("the element is there", async || browser.run(defined, vec![]).await == json!(true)).await;
        assert_eq!(with_dialog(browser, "return !!dialog").await, json!(false), "nothing is loaded before");
        stage.page().click_on("#pay").await;
        until_open(browser, true).await;
        frame::enter(browser, FRAME).await;
        stage.page().until_screen("choose").await;
        browser.top().await;
        let ready = "return heard.filter((type) => type === 'ready').length";
        eventually("the page is ready", async || browser.run(ready, vec![]).await == json!(1)).await;
        // A page that starts slowly answers several greetings.
        browser.run(GREET_AGAIN, vec![]).await;
        let answered = "return answers.some(({ type }) => type === 'ready')";
        eventually("it answers again", async || browser.run(answered, vec![]).await == json!(true)).await;
        with_dialog(browser, "dialog.querySelector('[part=close]').click()").await;
        until_open(browser, false).await;
        stage.page().click_on("#pay").await;
        until_open(browser, true).await;
        assert_eq!(browser.run(ready, vec![]).await, json!(1), "it is not loaded again");
    });
}

#[test]
fn the_cross_stands_in_the_row_of_the_merchant_and_covers_nothing() {
    journey(async |stage| {
        let browser = stage.browser;
        let (_merchant, id) = shop(stage, "").await;
        stage.gateway.choose(&id, "BTC");
        frame::enter(browser, FRAME).await;
        stage.page().until_screen("pay").await;
        browser.until_live().await;
        let row = "const box = document.querySelector('.order').getBoundingClientRect();
            const right = [...document.querySelectorAll('.order > *')].map((part) => part.getBoundingClientRect().right);
            return [box.top, box.bottom, Math.max(...right)]";
        let row = browser.run(row, vec![]).await;
        browser.top().await;
        screenshot::keep(browser, "modal").await;
        let cross = "const cross = dialog.querySelector('[part=close]').getBoundingClientRect();
            const frame = dialog.querySelector('iframe').getBoundingClientRect();
            return [(cross.top + cross.bottom) / 2 - frame.top, cross.left - frame.left]";
        let cross = with_dialog(browser, cross).await;
        let [at, left] = [0, 1].map(|at| cross[at].as_f64().expect("a number"));
        let [top, bottom, right] = [0, 1, 2].map(|at| row[at].as_f64().expect("a number"));
        assert!((top..bottom).contains(&at) && right <= left, "the cross at {cross}, the row at {row}");
    });
}

#[test]
fn the_question_lies_over_the_page_which_waits() {
    journey(async |stage| {
        let browser = stage.browser;
        let (_merchant, id) = shop(stage, "style='--crypto-checkout-accent: rgb(1, 2, 3)'").await;
        stage.gateway.choose(&id, "BTC");
        eventually("the page hears of the choice", async || {
            browser.run("return heard.includes('PENDING')", vec![]).await == json!(true)
        })
        .await;
        let state = "const ask = dialog.querySelector('[part=ask]');
            const middle = dialog.getRootNode().elementFromPoint(innerWidth / 2, innerHeight / 2);
            return [!!ask && ask.contains(middle), !!dialog.querySelector('iframe').closest('[inert]'),
                ask && getComputedStyle(ask.querySelector('[part=stay]')).backgroundColor]";
        assert_eq!(with_dialog(browser, state).await, json!([false, false, null]));
        with_dialog(browser, "dialog.querySelector('[part=close]').click()").await;
        assert_eq!(with_dialog(browser, state).await, json!([true, true, "rgb(1, 2, 3)"]));
        screenshot::keep(browser, "modal-question").await;
        with_dialog(browser, "dialog.querySelector('[part=stay]').click()").await;
        assert_eq!(with_dialog(browser, state).await, json!([false, false, null]));
    });
}
