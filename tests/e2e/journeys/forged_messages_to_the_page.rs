use serde_json::{Map, Value, json};

use crate::support::browser::Browser;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::shop::Shop;
use crate::support::stage::journey;
use crate::support::unguarded;
use crate::support::wait::eventually;

const FORGED: &str = "forged-instance";

/// A greeting with one field wrong (or, for `null`, missing).
fn hello(spoil: &str, value: &Value) -> Value {
    let mut message = Map::new();
    message.insert("protocol".to_owned(), json!("crypto-checkout"));
    message.insert("version".to_owned(), json!(1));
    message.insert("instance".to_owned(), json!(FORGED));
    message.insert("type".to_owned(), json!("hello"));
    message.insert(spoil.to_owned(), value.clone());
    message.retain(|_, value| !value.is_null());
    Value::Object(message)
}

#[test]
fn a_framed_page_accepts_only_its_first_loader() {
    journey(async |stage| {
        let shop = Shop::order(stage.browser, &stage.gateway).await;
        let id = shop.payment(&stage.gateway).await.payment_id;
        let page = shop.enter().await;
        page.until_screen("choose").await;
        let before = page.look().await.unwrap();
        // The gateway's own origin may frame the page, but this window is not its parent.
        stage.browser.run("postMessage(arguments[0], '*')", vec![hello("type", &json!("hello"))]).await;
        shop.leave().await;
        let forged = [
            hello("version", &json!(2)),
            hello("version", &json!("1")),
            hello("version", &Value::Null),
            hello("protocol", &json!("other")),
            hello("protocol", &Value::Null),
            hello("instance", &json!(7)),
            hello("instance", &json!("")),
            hello("instance", &Value::Null),
            hello("type", &json!("status")),
            hello("type", &json!("close")),
            // A valid message, but the page is already connected to another loader.
            hello("type", &json!("hello")),
            Value::Null,
            json!("hello"),
        ];
        let post =
            "const frame = document.querySelector('crypto-checkout').shadowRoot.querySelector('iframe');
            for (const message of arguments[0]) frame.contentWindow.postMessage(message, '*');
            frame.contentWindow.postMessage({last: true}, '*');";
        stage.browser.run(post, vec![json!(forged)]).await;

        shop.enter().await;
        shop.until("the messages arrive", |_, messages| messages.iter().any(|m| m.data["last"] == true))
            .await;
        let after = page.look().await.unwrap();
        assert_eq!((before.screen, before.text), (after.screen, after.text), "nothing moves");
        page.choose("BTC", "BTC").await;
        shop.leave().await;

        let payment = stage.gateway.payment(&id);
        stage.gateway.pay(&payment);
        shop.page.until("shows the transfer", |page| page.value("shop-status") == Some("AWAITING")).await;
        let messages = shop.messages().await;
        let instances: Vec<&str> =
            messages.iter().filter_map(|message| message.data["instance"].as_str()).collect();
        assert!(!instances.is_empty() && !instances.contains(&FORGED), "{messages:?}");
    });
}

/// Collects the page's messages to it.
const ATTACK: &str = "<h1>Win a kettle</h1><script>
    window.inbox = [];
    addEventListener('message', ({data}) => inbox.push(data));
</script>";

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
        browser.run("window.victim = open(arguments[0])", vec![json!(created.payment_url)]).await;
        let handles = browser.client.windows().await.unwrap();
        let victim = handles.into_iter().find(|handle| *handle != attack).expect("the attacker opened it");
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
        // Simulates a browser without frame-ancestors: the page must protect itself.
        let unguarded = unguarded::open(&stage.gateway.ready.base_url);
        let created = stage.gateway.create(&order());
        let url =
            created.payment_url.replace(&stage.gateway.ready.base_url, &unguarded).replace('&', "&amp;");
        let frame = format!("{ATTACK}<iframe width=480 height=900 src='{url}'></iframe>");
        let stranger = Merchant::open_alike(&stage.gateway.ready.shop_url, &frame);
        browser.goto(&stranger.origin).await;
        browser.client.enter_frame(0).await.unwrap();
        let page = stage.page();
        page.choose("BTC", "BTC").await;
        browser.run("addEventListener('message', () => { window.greeted = true; })", vec![]).await;
        browser.top().await;
        browser.run("frames[0].postMessage(arguments[0], '*')", vec![hello("type", &json!("hello"))]).await;
        browser.client.enter_frame(0).await.unwrap();
        was_greeted(browser).await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        browser.top().await;
        assert_eq!(browser.run("return inbox", vec![]).await, json!([]), "another origin received a message");
    });
}
