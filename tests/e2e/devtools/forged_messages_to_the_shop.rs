use serde_json::{Value, json};

use crate::support::merchant::Merchant;
use crate::support::shop::{Message, Shop};
use crate::support::stage::journey;
use crate::support::wait::eventually;

/// A well-formed message that reports to the shop that the payment is complete.
fn complete(payment_id: &str, instance: &str) -> Value {
    json!({
        "protocol": "crypto-checkout", "version": 1, "instance": instance, "type": "complete",
        "paymentId": payment_id, "status": "DEPOSITED", "redirectUrl": "http://127.0.0.1:9/stolen",
    })
}

/// The message with one field wrong (or, for `null`, missing).
fn spoiled(message: &Value, field: &str, value: Value) -> Value {
    let mut fields = message.as_object().cloned().unwrap_or_default();
    fields.insert(field.to_owned(), value);
    fields.insert("forged".to_owned(), json!(true));
    fields.retain(|_, value| !value.is_null());
    Value::Object(fields)
}

#[test]
fn malformed_messages_from_the_frame_change_nothing() {
    journey(async |stage| {
        let shop = Shop::order_with_ears(stage.browser, &stage.gateway).await;
        let payment = shop.payment(&stage.gateway).await;
        shop.enter().await.choose("BTC", "BTC").await;
        shop.leave().await;
        shop.page.until("shows the choice", |page| page.value("shop-status") == Some("PENDING")).await;
        let messages = shop.messages().await;
        let instance =
            messages.iter().find_map(|message| message.data["instance"].as_str()).unwrap().to_owned();
        let before = shop.heard().await;

        let good = complete(&payment.payment_id, &instance);
        let status = json!({
            "protocol": "crypto-checkout", "version": 1, "instance": instance, "type": "status",
            "paymentId": payment.payment_id, "status": "DEPOSITED",
        });
        let forged = [
            spoiled(&good, "protocol", json!("other-checkout")),
            spoiled(&good, "protocol", Value::Null),
            spoiled(&good, "version", json!(0)),
            spoiled(&good, "version", json!(2)),
            spoiled(&good, "version", json!("1")),
            spoiled(&good, "version", Value::Null),
            spoiled(&good, "instance", json!("guessed")),
            spoiled(&good, "instance", json!([instance])),
            spoiled(&good, "instance", Value::Null),
            spoiled(&good, "type", json!("completed")),
            spoiled(&good, "type", json!("constructor")),
            spoiled(&good, "type", Value::Null),
            spoiled(&good, "paymentId", json!(7)),
            spoiled(&good, "paymentId", Value::Null),
            spoiled(&good, "status", json!({"status": "DEPOSITED"})),
            spoiled(&good, "status", Value::Null),
            spoiled(&good, "redirectUrl", json!(["http://127.0.0.1:9/stolen"])),
            spoiled(&status, "status", json!("<b>paid</b>")),
            json!({"forged": true}),
        ];
        shop.enter().await;
        let post = "for (const message of arguments[0]) parent.postMessage(message, '*');";
        stage.browser.run(post, vec![json!(forged)]).await;
        for odd in ["null", "'complete'", "[]", "{forged: true}"] {
            stage.browser.run(&format!("parent.postMessage({odd}, '*')"), vec![]).await;
        }
        shop.leave().await;
        // Well-formed, but from the shop's own window instead of the frame.
        let mut own = good.clone();
        own["forged"] = json!(true);
        stage.browser.run("postMessage(arguments[0], '*')", vec![own]).await;

        let expected = forged.len() + 2;
        let forged = |messages: &[Message]| messages.iter().filter(|m| m.data["forged"] == true).count();
        shop.until("all messages arrive", |_, messages| forged(messages) == expected).await;
        assert_eq!(shop.heard().await, before, "a forged message became an event");
        let page = shop.page.look().await.unwrap();
        assert_eq!(page.value("shop-status"), Some("PENDING"));

        // Only forgeries are refused: a well-formed message from the frame is accepted.
        shop.enter().await;
        stage.browser.run("parent.postMessage(arguments[0], '*')", vec![status]).await;
        shop.leave().await;
        shop.page
            .until("accepts the frame's message", |page| page.value("shop-status") == Some("DEPOSITED"))
            .await;
    });
}

#[test]
fn a_message_from_another_window_changes_nothing() {
    journey(async |stage| {
        let browser = stage.browser;
        let shop = Shop::order_with_ears(browser, &stage.gateway).await;
        let order_page = shop.page.look().await.unwrap().url;
        let id = shop.payment(&stage.gateway).await.payment_id;
        shop.enter().await.choose("BTC", "BTC").await;
        shop.leave().await;
        let payment = stage.gateway.payment(&id);

        // The attacker's page opens the order, so that it has a reference to the shop's window.
        let attacker = Merchant::open_alike(&stage.gateway.ready.base_url, "<h1>Win a kettle</h1>");
        let attack = browser.tab(&attacker.origin).await;
        browser.run("window.victim = open(arguments[0], 'victim')", vec![json!(order_page)]).await;
        let known = [&attack];
        let mut victim = None;
        for handle in browser.client.windows().await.unwrap() {
            browser.switch(&handle).await;
            let is_victim = browser.run("return window.name === 'victim'", vec![]).await == true;
            if is_victim && !known.contains(&&handle) {
                victim = Some(handle);
            }
        }
        let victim = victim.expect("the attacker opened it");
        browser.switch(&victim).await;
        shop.page.until("shows the order", |page| page.parts.contains_key("shop-status")).await;
        let listen = "window.arrived = []; window.events = [];
            addEventListener('message', ({origin, data}) => arrived.push({origin, data}));
            addEventListener('checkout:complete', () => events.push('complete'), true);";
        browser.run(listen, vec![]).await;
        stage.gateway.pay(&payment);
        shop.page.until("shows the transfer", |page| page.value("shop-status") == Some("AWAITING")).await;
        let instance = browser
            .run("return arrived.find(({data}) => data.type === 'status').data.instance", vec![])
            .await;

        let forged = complete(&payment.payment_id, instance.as_str().expect("the frame names its instance"));
        browser.switch(&attack).await;
        browser.run("victim.postMessage(arguments[0], '*')", vec![forged]).await;
        browser.switch(&victim).await;
        let arrived =
            "return arrived.some(({origin, data}) => origin === arguments[0] && data.type === 'complete')";
        eventually("the attacker's message arrives", async || {
            browser.run(arrived, vec![json!(attacker.origin)]).await == true
        })
        .await;
        assert_eq!(
            browser.run("return events", vec![]).await,
            json!([]),
            "the forged message became an event"
        );
        let page = shop.page.look().await.unwrap();
        assert_eq!((page.value("shop-status"), page.url.as_str()), (Some("AWAITING"), order_page.as_str()));

        stage.gateway.mine(&payment);
        let thanks = shop.page.until("is the thanks page", |page| page.parts.contains_key("thanks")).await;
        assert_eq!(thanks.value("thanks"), Some("DEPOSITED"));
    });
}
