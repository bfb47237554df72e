use serde_json::{Value, json};

use crate::journeys::forged_messages_to_the_page::{FORGED, hello};
use crate::support::shop::Shop;
use crate::support::stage::journey;

#[test]
fn a_framed_page_accepts_only_its_first_loader() {
    journey(async |stage| {
        let shop = Shop::order_with_ears(stage.browser, &stage.gateway).await;
        let id = shop.payment(&stage.gateway).await.payment_id;
        let page = shop.enter().await;
        page.until_screen("choose").await;
        let before = page.look().await.unwrap();
        // The gateway's own origin may frame the page; but this window is not its parent.
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
            // Right in every word, but the page has met another loader.
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
        shop.page.until("knows of it", |page| page.value("shop-status") == Some("AWAITING")).await;
        let messages = shop.messages().await;
        let instances: Vec<&str> =
            messages.iter().filter_map(|message| message.data["instance"].as_str()).collect();
        assert!(!instances.is_empty() && !instances.contains(&FORGED), "{messages:?}");
    });
}
