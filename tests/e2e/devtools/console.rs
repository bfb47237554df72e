//! The sandbox's console from the view of a merchant's developer.

use crate::support::developer::{Developer, count};
use crate::support::merchant::Merchant;
use crate::support::stage::journey;

#[test]
fn from_creation_to_a_verified_callback() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        let id = console.create("order-1", "BTC/BTC").await;
        let pending = console.until_status("PENDING").await;
        let expected = pending.value("expected").unwrap().to_owned();
        assert_eq!(stage.gateway.payment(&id).expected_deposit_amount.as_deref(), Some(&*expected));
        assert_eq!(stage.gateway.payment(&id).wallet_address.as_deref(), pending.value("address"));

        page.click("pay-half").await;
        let half = console
            .until("lists the first transfer", |page| count(page, "deposit", "UNCONFIRMED") == 1)
            .await;
        assert_eq!(half.value("status"), Some("AWAITING"));
        page.click("pay-exact").await;
        console
            .until("lists the second transfer", |page| {
                count(page, "deposit", "UNCONFIRMED") == 2 && page.value("remaining") == Some("0")
            })
            .await;
        page.click("mine").await;
        console.until_status("DEPOSITED").await;
        let done =
            console.until("lists both callbacks", |page| count(page, "callback", "DELIVERED") == 2).await;
        assert_eq!(count(&done, "deposit", "CONFIRMED"), 2);
        for what in ["CREATED", "QUOTED", "SEEN", "MINED", "PAID", "CALLBACK_TRIED"] {
            assert!(count(&done, "event", what) > 0, "{what} is in the timeline");
        }
        assert_eq!(stage.gateway.payment(&id).status.as_str(), "DEPOSITED");

        page.click("to-inbox").await;
        let delivery =
            console.until("shows the delivery", |page| page.value("verdict") == Some("VERIFIED")).await;
        assert_eq!(count(&delivery, "delivery", "VERIFIED"), 2);
        assert!(
            delivery.shown("body").is_some_and(|body| body.text.contains("\"clientPaymentId\": \"order-1\""))
        );
        page.click("raw").await;
        let raw = console
            .until("shows the exact bytes", |page| {
                page.shown("body").is_some_and(|body| !body.text.contains('\n'))
            })
            .await;
        let body: serde_json::Value = serde_json::from_str(&raw.shown("body").unwrap().text).unwrap();
        assert_eq!(body["paymentId"], id);
        for header in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
            assert_eq!(count(&raw, "header", header), 1, "{header}");
        }
        page.click("resend").await;
        let again = console
            .until("lists the repeated delivery", |page| count(page, "delivery", "VERIFIED") == 3)
            .await;
        assert_eq!(again.value("webhook-id"), delivery.value("webhook-id"), "with the same id");
        console.go("money").await;
        console.until("shows the balance", |page| count(page, "balance", "FIAT") == 1).await;
    });
}

#[test]
fn a_reorganisation_a_double_spend_and_a_late_transfer() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        let id = console.create("order-1", "USDT/TRX").await;
        console.until_status("PENDING").await;
        page.click("pay-more").await;
        console.until("lists the transfer", |page| count(page, "deposit", "UNCONFIRMED") == 1).await;
        page.click("confirm").await;
        console.until_status("OVERPAID").await;
        page.click("reorganise").await;
        let back = console.until_status("AWAITING").await;
        assert_eq!(count(&back, "event", "REORGANISED"), 1);
        console.until("is unconfirmed again", |page| count(page, "deposit", "UNCONFIRMED") == 1).await;
        page.click("drop").await;
        console
            .until("is gone", |page| {
                count(page, "deposit", "VANISHED") == 1 && page.value("status") == Some("PENDING")
            })
            .await;
        page.click("expire").await;
        let expired = console.until_status("EXPIRED").await;
        assert!(expired.value("ahead").is_some(), "the clock is ahead");
        assert_eq!(count(&expired, "event", "WINDOW_ENDED"), 1);
        assert_eq!(stage.gateway.payment(&id).status.as_str(), "EXPIRED");

        page.click("pay-exact").await;
        console.until("sees the late transfer", |page| count(page, "deposit", "UNCONFIRMED") == 1).await;
        page.click("mine").await;
        console.until_status("DEPOSITED").await;
    });
}

#[test]
fn retries_after_an_error() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        console.go("inbox").await;
        page.click_on(".manner summary").await;
        console.fill("answer-times", "2").await;
        page.click("answer").await;
        console.until("answers otherwise", |page| page.value("manner") == Some("2")).await;

        let id = console.create("order-1", "BTC/BTC").await;
        console.until_status("PENDING").await;
        page.click("pay-exact").await;
        console
            .until("was refused", |page| {
                count(page, "attempt", "500") >= 1 && count(page, "callback", "PENDING") == 1
            })
            .await;
        for attempts in 2..=3 {
            page.click("next-try").await;
            console
                .until("lists another attempt", |page| {
                    count(page, "attempt", "500") + count(page, "attempt", "204") >= attempts
                })
                .await;
        }
        let told = console.until("was taken", |page| count(page, "callback", "DELIVERED") == 1).await;
        assert_eq!((count(&told, "attempt", "500"), count(&told, "attempt", "204")), (2, 1));
        console.go("inbox").await;
        let inbox =
            console.until("has three deliveries", |page| count(page, "delivery", "VERIFIED") == 3).await;
        assert_eq!((count(&inbox, "answered", "500"), count(&inbox, "answered", "204")), (2, 1));
        assert_eq!(inbox.value("manner"), Some("0"), "the inbox accepts again");
        page.click("clear").await;
        console.until("is empty", |page| !page.parts.contains_key("delivery")).await;
        console.open_payment(&id).await;
        console.until_status("AWAITING").await;
    });
}

#[test]
fn the_payer_chooses_and_the_console_follows() {
    journey(async |stage| {
        stage.browser.expect_in_console("the server responded with a status of 4");
        let console = Developer::open(stage).await;
        let page = console.page;
        let id = console.create("order-1", "").await;
        console.until_status("NEW").await;
        console.pick("pair", "XRP/XRP").await;
        page.click("choose").await;
        console.until_status("PENDING").await;
        page.click_on(".fold summary").await;
        console.fill("custom-amount", "12.5").await;
        console.fill("custom-tag", "0").await;
        page.click("send").await;
        console.until_said("Sent 12.5 XRP").await;
        console.fill("custom-amount", "1e5").await;
        page.click("send").await;
        console.until("shows the error", |page| page.value("message") == Some("bad")).await;
        assert_eq!(stage.gateway.payment(&id).deposits.len(), 0, "a wrong tag credits no payment");

        // The same order again: the form shows the error and stays open.
        page.click("new").await;
        console.until("shows the form", |page| page.shown("new-order").is_some()).await;
        console.fill("new-order", "order-1").await;
        console.fill("new-amount", "26").await;
        page.click("create").await;
        console.until("shows that the id is taken", |page| page.text.contains("clientPaymentId")).await;
    });
}

#[test]
fn the_list_is_searched_and_updated() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        let first = console.create("alpha", "BTC/BTC").await;
        let second = console.create("beta", "ETH/ETH").await;
        let shows = |page: &crate::support::snapshot::Snapshot, ids: &[&str]| {
            let shown: Vec<_> = page
                .parts
                .get("payment")
                .into_iter()
                .flatten()
                .filter_map(|row| row.value.as_deref())
                .collect();
            shown == ids
        };
        console.until("lists both, the newest first", |page| shows(page, &[&second, &first])).await;
        console.fill("search", "alph").await;
        console.until("finds one", |page| shows(page, &[&first])).await;
        console.fill("search", "nothing").await;
        console.until("finds nothing", |page| shows(page, &[])).await;
        page.click_on("[data-do=unfilter]").await;
        console.until("lists both again", |page| shows(page, &[&second, &first])).await;
        console.pick("filter", "AWAITING").await;
        console.until("lists those in that state", |page| shows(page, &[])).await;
        stage.gateway.pay(&stage.gateway.payment(&first));
        console.until("shows the change from elsewhere", |page| shows(page, &[&first])).await;

        console.go("world").await;
        console.pick("rate-to", "USD").await;
        console.fill("rate", "70000").await;
        page.click("set-rate").await;
        console.until("has the rate", |page| page.text.contains("now 70000 USD per BTC")).await;
        page.click("reveal").await;
        let credentials = console.until("shows the token", |page| page.value("token").is_some()).await;
        assert_eq!(credentials.value("token"), Some(stage.gateway.ready.business_token.as_str()));
    });
}

#[test]
fn the_gateway_stops_and_restarts() {
    journey(async |stage| {
        stage.browser.expect_in_console("net::ERR_CONNECTION_REFUSED");
        let console = Developer::open(stage).await;
        let id = console.create("order-1", "BTC/BTC").await;
        console.until_status("PENDING").await;
        stage.gateway.kill();
        console
            .until("shows that the gateway is offline", |page| {
                page.fact("connection") == Some("offline") && page.text.contains("does not answer")
            })
            .await;
        stage.gateway.restart();
        stage.gateway.pay(&stage.gateway.payment(&id));
        console
            .until("reconnects by itself", |page| {
                page.fact("connection") == Some("online") && count(page, "deposit", "UNCONFIRMED") == 1
            })
            .await;
    });
}

/// Another site's page in the same browser can neither read nor change anything.
#[test]
fn another_site_has_no_access() {
    journey(async |stage| {
        stage.browser.expect_in_console("blocked by CORS policy");
        stage.browser.expect_in_console("net::ERR_FAILED");
        stage.browser.expect_in_console("the server responded with a status of 403");
        stage.browser.expect_in_console("ERR_BLOCKED_BY_RESPONSE");
        let console = Developer::open(stage).await;
        let id = console.create("order-1", "BTC/BTC").await;
        let before = stage.gateway.now();
        let attacker = Merchant::open("<!doctype html><title>attacker</title>", &[]);
        stage.browser.goto(&attacker.origin).await;
        let attack = "const [base, id, done] = arguments;
            const tries = [
                fetch(base + '/sandbox/credentials'),
                fetch(base + '/sandbox/payments/' + id),
                fetch(base + '/sandbox/clock', {method: 'POST', headers: {'content-type': 'application/json'}, body: '{\"advanceSeconds\": 86400}'}),
                fetch(base + '/sandbox/clock', {method: 'POST', mode: 'no-cors', body: '{\"advanceSeconds\": 86400}'}),
                fetch(base + '/sandbox/inbox', {method: 'POST', mode: 'no-cors', body: '{}'}),
                fetch(base + '/sandbox/business', {method: 'POST', mode: 'no-cors', body: '{\"settlementCryptoRatio\": \"1\"}'}),
                fetch(base + '/sandbox/withdrawals', {method: 'POST', headers: {'content-type': 'application/json'}, body: '{}'}),
            ];
            Promise.allSettled(tries).then((all) => done(all.map((one) => one.status === 'rejected' ? 'refused' : one.value.type)));";
        let arguments = vec![stage.gateway.ready.base_url.clone().into(), id.clone().into()];
        let outcome = stage.browser.client.execute_async(attack, arguments).await.unwrap();
        let said: Vec<&str> = outcome.as_array().unwrap().iter().filter_map(|one| one.as_str()).collect();
        assert!(said.iter().all(|one| ["refused", "opaque"].contains(one)), "{said:?}");
        assert_eq!(said[..3], ["refused"; 3], "nothing can be read");
        assert!(stage.gateway.now() < before + 3_600, "the clock is unchanged");
        let overview: serde_json::Value = stage.gateway.get("/sandbox/overview");
        assert_eq!(overview["business"]["settlementCryptoRatio"], "0", "the terms are unchanged");
        let console = Developer::open(stage).await;
        console.go("inbox").await;
        console.until("is empty", |page| page.text.contains("Nothing arrived yet")).await;
    });
}
