use serde_json::{Value, json};

use crate::support::shop::Shop;
use crate::support::stage::journey;
use crate::support::wait::eventually;

/// Sends so many messages to a window, each wrong in one or more places at random. The numbers are the same in every run.
const STORM: &str = r"
    const TARGETS = { parent: () => parent, window: () => window,
      frame: () => document.querySelector('crypto-checkout').shadowRoot.querySelector('iframe').contentWindow };
    const [count, instance, paymentId, target] = [arguments[0], arguments[1], arguments[2], TARGETS[arguments[3]]()];
    let seed = 20251;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    const pick = (list) => list[random(list.length)];
    const odd = [undefined, null, true, 0, -1, 1.5, NaN, Infinity, '', 'x', '1', [], {}, [instance], 'a'.repeat(5000),
      '<img src=x onerror=alert(1)>', 'javascript:alert(1)', '__proto__', 'constructor', new Date(0), new Map(), 10n];
    const fields = ['protocol', 'version', 'instance', 'type'];
    for (let sent = 0; sent < count; sent += 1) {
      const message = {
        protocol: 'crypto-checkout', version: 1, instance, paymentId, status: 'DEPOSITED', code: 'forged', height: 900,
        type: pick(['ready', 'resize', 'status', 'complete', 'expired', 'error', 'close', 'hello']),
        redirectUrl: 'http://127.0.0.1:9/stolen', forged: true,
      };
      const wrong = [pick(fields), ...fields.filter(() => random(5) === 0)];
      for (const field of wrong) {
        const value = pick(odd.filter((value) => !(field === 'version' && value === 1)));
        if (value === undefined) delete message[field];
        else message[field] = value;
      }
      target.postMessage(random(40) === 0 ? pick(odd) : message, '*');
    }
    target.postMessage({ last: arguments[4] }, '*');
";

/// Keeps the element's events, the loader's name of the frame, and the ends of storms.
const LISTEN: &str = "
    window.heard = []; window.ends = []; window.instance = null;
    for (const type of ['ready', 'status', 'complete', 'expired', 'close', 'error']) {
      addEventListener('checkout:' + type, ({ type, detail }) => heard.push([type, detail]), true);
    }
    addEventListener('message', ({ data }) => {
      if (data?.last) ends.push(data.last);
      if (data?.protocol === 'crypto-checkout' && !data.forged) instance ??= data.instance;
    });";

const FRAME: &str = "document.querySelector('crypto-checkout').shadowRoot.querySelector('iframe')";

#[test]
fn of_ten_thousand_messages_of_hostile_frames_nothing_is_accepted() {
    journey(async |stage| {
        let browser = stage.browser;
        let shop = Shop::order(browser, &stage.gateway).await;
        let payment = shop.payment(&stage.gateway).await;
        shop.enter().await.until_screen("choose").await;
        shop.leave().await;
        browser.run(LISTEN, vec![]).await;
        shop.enter().await.choose("BTC", "BTC").await;
        shop.leave().await;
        shop.page.until("shows the choice", |page| page.value("shop-status") == Some("PENDING")).await;
        let heard = async || browser.run("return heard", vec![]).await;
        let height = format!("return {FRAME}.style.height");
        let instance = browser.run("return instance", vec![]).await;
        let before = (heard().await, browser.run(&height, vec![]).await);
        assert!(instance.is_string() && before.1 != "", "{instance} {before:?}");
        let storm = async |count: u32, target: &str| {
            let arguments =
                vec![json!(count), instance.clone(), json!(payment.payment_id), json!(target), json!(target)];
            browser.run(STORM, arguments).await;
        };

        // From the checkout's own frame, and from the shop's own window.
        shop.enter().await;
        storm(4000, "parent").await;
        shop.leave().await;
        storm(3000, "window").await;
        ends(&shop, &["parent", "window"]).await;
        let after = (heard().await, browser.run(&height, vec![]).await);
        assert_eq!(after, before, "a forged message changed the page");
        let page = shop.page.look().await.unwrap();
        assert_eq!(page.value("shop-status"), Some("PENDING"));

        // To the page in the frame, which has met its loader.
        shop.enter().await;
        browser.run(LISTEN, vec![]).await;
        let before = shop.page.look().await.unwrap();
        shop.leave().await;
        storm(3000, "frame").await;
        shop.enter().await;
        ends(&shop, &["frame"]).await;
        let after = shop.page.look().await.unwrap();
        assert_eq!(
            (&before.screen, before.value("amount")),
            (&after.screen, after.value("amount")),
            "nothing moves"
        );
        shop.leave().await;

        let payment = stage.gateway.payment(&payment.payment_id);
        stage.gateway.pay(&payment);
        shop.page
            .until("hears the true checkout", |page| page.value("shop-status") == Some("AWAITING"))
            .await;
    });
}

async fn ends(shop: &Shop<'_>, expected: &[&str]) {
    eventually("all messages arrive", async || {
        let ends = shop.page.browser.run("return window.ends", vec![]).await;
        let ends: Vec<&str> = ends.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        expected.iter().all(|end| ends.contains(end))
    })
    .await;
}
