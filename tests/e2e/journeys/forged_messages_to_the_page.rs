use serde_json::{Map, Value, json};

use crate::support::browser::Browser;
use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::journey;
use crate::support::unguarded;
use crate::support::wait::eventually;

pub(crate) const FORGED: &str = "forged-instance";

/// A greeting with one field wrong (or, for `null`, missing).
pub(crate) fn hello(spoil: &str, value: &Value) -> Value {
    let mut message = Map::new();
    message.insert("protocol".to_owned(), json!("crypto-checkout"));
    message.insert("version".to_owned(), json!(1));
    message.insert("instance".to_owned(), json!(FORGED));
    message.insert("type".to_owned(), json!("hello"));
    message.insert(spoil.to_owned(), value.clone());
    message.retain(|_, value| !value.is_null());
    Value::Object(message)
}

/// Collects what the page says to it.
const ATTACK: &str = "<h1>Win a kettle</h1><button onclick='victim = window.open(prey)'>Win</button><script>
    window.inbox = [];
    addEventListener('message', ({data}) => inbox.push(data));
</script>";

const FRAME: &str = "document.querySelector('iframe')";

async fn was_greeted(browser: &Browser) {
    let greeted = "return window.greeted === true";
    eventually("the greeting arrives", async || browser.run(greeted, vec![]).await == true).await;
}

#[test]
fn a_page_that_is_not_framed_sends_no_messages() {
    journey(async |stage| {
        let browser = stage.browser;
        let attacker = Merchant::open(ATTACK, &[]);
        let created = stage.gateway.create(&order());
        browser.goto(&attacker.origin).await;
        let attack = browser.client.window().await.unwrap();
        browser.run("window.prey = arguments[0]", vec![json!(created.payment_url)]).await;
        // A browser lets nobody open a window without a click.
        stage.page().click_on("button").await;
        let windows = async || browser.client.windows().await.expect("windows");
        eventually("the attacker has opened it", async || windows().await.len() == 2).await;
        let victim = windows().await.into_iter().find(|handle| *handle != attack).expect("there are two");
        browser.switch(&victim).await;
        let page = stage.page();
        page.choose("BTC", "BTC").await;
        browser.run("addEventListener('message', () => { window.greeted = true; })", vec![]).await;

        browser.switch(&attack).await;
        browser.run("victim.postMessage(arguments[0], '*')", vec![hello("type", &json!("hello"))]).await;
        browser.switch(&victim).await;
        was_greeted(browser).await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        browser.switch(&attack).await;
        assert_eq!(browser.run("return inbox", vec![]).await, json!([]));
    });
}

#[test]
fn a_page_framed_by_another_origin_sends_no_messages() {
    journey(async |stage| {
        let browser = stage.browser;
        // Simulates a browser without frame-ancestors, and an attacker who does not say who frames: the page must protect itself.
        let unguarded = unguarded::open(&stage.gateway.ready.base_url);
        let created = stage.gateway.create(&order());
        let url =
            created.payment_url.replace(&stage.gateway.ready.base_url, &unguarded).replace('&', "&amp;");
        let frame =
            format!("{ATTACK}<iframe referrerpolicy=no-referrer width=480 height=900 src='{url}'></iframe>");
        let stranger = Merchant::open_alike(&stage.gateway.ready.shop_url, &frame);
        browser.goto(&stranger.origin).await;
        frame::enter(browser, FRAME).await;
        let page = stage.page();
        page.choose("BTC", "BTC").await;
        browser.run("addEventListener('message', () => { window.greeted = true; })", vec![]).await;
        browser.top().await;
        browser.run("frames[0].postMessage(arguments[0], '*')", vec![hello("type", &json!("hello"))]).await;
        frame::enter(browser, FRAME).await;
        was_greeted(browser).await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        browser.top().await;
        assert_eq!(browser.run("return inbox", vec![]).await, json!([]), "another origin received a message");
    });
}
