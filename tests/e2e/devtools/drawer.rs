//! The drawer of the desk from the view of a merchant's developer.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::developer::{Developer, count};
use crate::support::merchant::Merchant;
use crate::support::stage::journey;
use crate::support::wait::eventually;

#[test]
fn from_creation_to_a_verified_callback() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        let id = developer.create("order-1", "BTC/BTC").await;
        developer.until_status("PENDING").await;
        page.click("pay-half").await;
        developer.until("lists the first transfer", |page| count(page, "deposit", "UNCONFIRMED") == 1).await;
        developer.until_status("AWAITING").await;
        let (first, price) = (stage.gateway.payment(&id).deposits[0].deposit_amount.clone(), "0.00041667");
        assert_eq!(first.as_str(), "0.00020833", "a half of {price}, rounded down");
        page.click("pay-exact").await;
        developer.until("lists the second transfer", |page| count(page, "deposit", "UNCONFIRMED") == 2).await;
        page.click("mine").await;
        developer.until_status("DEPOSITED").await;
        let paid = stage.gateway.payment(&id);
        assert_eq!((paid.status.as_str(), paid.actual_deposit_amount.as_str()), ("DEPOSITED", price));

        let inbox = developer
            .until("shows what the inbox answered", |page| count(page, "delivery", "VERIFIED") == 2)
            .await;
        assert_eq!(count(&inbox, "answered", "204"), 2);
        page.click_on("[data-part=delivery] summary").await;
        let delivered = developer.until("shows all of it", |page| page.shown("delivered").is_some()).await;
        let text = &delivered.shown("delivered").unwrap().text;
        for part in ["webhook-id: ", "webhook-timestamp: ", "webhook-signature: v1,", "order-1"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    });
}

#[test]
fn a_reorganisation_a_double_spend_and_a_late_transfer() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        let id = developer.create("order-1", "USDT/TRX").await;
        developer.until_status("PENDING").await;
        page.click("pay-more").await;
        developer.until("lists the transfer", |page| count(page, "transaction", "pending") == 1).await;
        page.click("confirm").await;
        developer.until_status("OVERPAID").await;
        page.click("reorganise").await;
        developer.until_status("AWAITING").await;
        page.click("drop").await;
        developer.until_status("PENDING").await;
        assert_eq!(stage.gateway.payment(&id).deposits.len(), 0, "it is gone");
        page.click("expire").await;
        let expired = developer.until_status("EXPIRED").await;
        assert_ne!(expired.value("clock"), Some("0"), "the clock is ahead");

        page.click("pay-exact").await;
        developer.until("sees the late transfer", |page| count(page, "deposit", "UNCONFIRMED") == 1).await;
        page.click("mine").await;
        developer.until_status("DEPOSITED").await;
    });
}

#[test]
fn retries_after_an_error() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        developer.unfold("inbox").await;
        developer.fill("inbox", "times", "2").await;
        page.click("answer-send").await;
        developer.until("answers otherwise", |page| page.value("inbox") == Some("2")).await;
        developer.create("order-1", "BTC/BTC").await;
        developer.until_status("PENDING").await;
        page.click("pay-exact").await;
        developer.until("was refused", |page| count(page, "attempt", "500") == 1).await;
        for attempts in 2..=3 {
            page.click("advance-5").await;
            developer
                .until("lists another attempt", |page| {
                    count(page, "attempt", "500") + count(page, "attempt", "204") == attempts
                })
                .await;
        }
        let told = developer.until("was taken", |page| count(page, "callback", "DELIVERED") == 1).await;
        assert_eq!((count(&told, "attempt", "500"), count(&told, "attempt", "204")), (2, 1));
        let inbox =
            developer.until("has three deliveries", |page| count(page, "delivery", "VERIFIED") == 3).await;
        assert_eq!((count(&inbox, "answered", "500"), count(&inbox, "answered", "204")), (2, 1));
        assert_eq!(inbox.value("inbox"), Some("0"), "the inbox accepts again");
    });
}

#[test]
fn the_payer_chooses_and_sends_what_is_wrong() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        let id = developer.create("order-1", "").await;
        developer.until("has not chosen", |page| page.value("open-payment") == Some("NEW")).await;
        developer.pick("choose", "pair", "XRP/XRP").await;
        page.click("choose-send").await;
        developer.until_status("PENDING").await;
        developer.unfold("open-payment").await;
        developer.fill("transfer", "amount", "12.5").await;
        developer.fill("transfer", "destinationTag", "0").await;
        page.click("transfer-send").await;
        developer.until_said("Sent 12.5 XRP").await;
        developer.fill("transfer", "amount", "1e5").await;
        page.click("transfer-send").await;
        developer.until("shows the error", |page| page.shown("transfer-failure").is_some()).await;
        assert_eq!(stage.gateway.payment(&id).deposits.len(), 0, "a wrong tag credits no payment");

        // The same order again: the form shows the error and stays open.
        developer.unfold("new-payment").await;
        developer.fill("new-payment", "clientPaymentId", "order-1").await;
        developer.fill("new-payment", "displayAmount", "26").await;
        stage.browser.expect_in_console("the server responded with a status of 409");
        page.click("new-send").await;
        developer.until("shows that the id is taken", |page| page.shown("new-failure").is_some()).await;
        page.click("checkout").await;
    });
}

#[test]
fn a_simulated_wallet_is_declined_and_then_pays() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        let id = developer.create("order-1", "USDT/BSC").await;
        let shown = developer.until_status("PENDING").await;
        assert!(shown.shown("checkout-wallet").is_some(), "the desk offers it");
        page.open(&format!("{}/sandbox/payments/{id}/wallet", stage.gateway.ready.base_url)).await;
        let client = &page.browser.client;
        let pressed = async || {
            page.until("offers the wallet", |page| page.shown("wallet").is_some_and(|it| it.enabled)).await;
            page.click("wallet").await;
            let mut asked = String::new();
            eventually("the wallet asks", async || {
                asked = client.get_alert_text().await.unwrap_or_default();
                !asked.is_empty()
            })
            .await;
            asked
        };
        let asked = pressed().await;
        let address = stage.gateway.payment(&id).wallet_address.expect("it was chosen");
        assert!(asked.ends_with(&format!("USDT on BSC to {address}?")), "{asked}");
        client.dismiss_alert().await.expect("it is open");
        page.until("says that it was declined", |page| page.value("wallet-state") == Some("rejected")).await;
        assert_eq!(stage.gateway.payment(&id).deposits.len(), 0);
        pressed().await;
        client.accept_alert().await.expect("it is open");
        page.until("shows the transfer", |page| page.is("seen")).await;
        let paid = stage.gateway.payment(&id);
        assert_eq!(paid.deposits.len(), 1);
        assert_eq!(Some(&paid.deposits[0].deposit_amount), paid.expected_deposit_amount.as_ref());
    });
}

#[test]
fn rates_credentials_and_commands() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        developer.unfold("rates").await;
        developer.fill("rates", "to", "USD").await;
        developer.fill("rates", "rate", "70000").await;
        page.click("rate-send").await;
        developer.until("has the rate", |page| page.text.contains("Now 70000 USD for one BTC")).await;
        developer.unfold("credentials").await;
        page.click("reveal").await;
        let shown = developer.until("shows the token", |page| page.value("token").is_some()).await;
        assert_eq!(shown.value("token"), Some(stage.gateway.ready.business_token.as_str()));

        developer.create("it's order 1", "").await;
        developer.unfold("requests").await;
        let shown = developer.until("lists it", |page| page.shown("curl").is_some()).await;
        let line = &shown.shown("curl").unwrap().text;
        let arguments = Command::new("sh")
            .args(["-c", &line.replacen("curl", "printf '%s\\n'", 1)])
            .env("CHECKOUT_TOKEN", "biz_token")
            .output()
            .expect("every Unix has a shell");
        let said = String::from_utf8(arguments.stdout).unwrap();
        let said: Vec<&str> = said.lines().collect();
        let url = format!("{}/api/v1/payments", stage.gateway.ready.base_url);
        let json = "Content-Type: application/json";
        assert_eq!(
            said[..said.len() - 1],
            ["-X", "POST", &url, "-H", "Authorization: Bearer biz_token", "-H", json, "-d"]
        );
        let body: Value = serde_json::from_str(said.last().unwrap()).unwrap();
        assert_eq!(body["clientPaymentId"], "it's order 1");
        let made: Value = stage.gateway.get("/api/v1/payments?clientPaymentId=it%27s%20order%201");
        assert_eq!(made[0]["businessId"], body["businessId"]);
    });
}

#[test]
fn the_gateway_stops_and_restarts() {
    journey(async |stage| {
        stage.browser.expect_in_console("net::ERR_CONNECTION_REFUSED");
        let developer = Developer::open(stage).await;
        let id = developer.create("order-1", "BTC/BTC").await;
        developer.until_status("PENDING").await;
        stage.gateway.kill();
        developer.until("says so", |page| page.text.contains("The gateway does not answer")).await;
        stage.gateway.restart();
        stage.gateway.pay(&stage.gateway.payment(&id));
        developer
            .until("goes on by itself", |page| {
                !page.text.contains("does not answer") && count(page, "transaction", "pending") == 1
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
        let developer = Developer::open(stage).await;
        let id = developer.create("order-1", "BTC/BTC").await;
        let before = stage.gateway.now();
        let attacker = Merchant::open("<!doctype html><title>attacker</title>", &[]);
        stage.browser.goto(&attacker.origin).await;
        let attack = "const [base, id, done] = arguments;
            const tries = [
                fetch(base + '/sandbox/credentials'),
                fetch(base + '/desk/gateway/api/v1/payments/' + id),
                fetch(base + '/sandbox/clock', {method: 'POST', headers: {'content-type': 'application/json'}, body: '{\"advanceSeconds\": 86400}'}),
                import(base + '/sandbox/drawer.js'),
                fetch(base + '/sandbox/clock', {method: 'POST', mode: 'no-cors', body: '{\"advanceSeconds\": 86400}'}),
                fetch(base + '/sandbox/inbox', {method: 'POST', mode: 'no-cors', body: '{}'}),
                fetch(base + '/sandbox/business', {method: 'POST', mode: 'no-cors', body: '{\"name\": \"Mine\"}'}),
                fetch(base + '/desk/gateway/api/v1/withdrawals', {method: 'POST', mode: 'no-cors', body: '{}'}),
            ];
            Promise.allSettled(tries).then((all) => done(all.map((one) => one.status === 'rejected' ? 'refused' : one.value.type)));";
        let arguments = vec![stage.gateway.ready.base_url.clone().into(), json!(id)];
        let outcome = stage.browser.client.execute_async(attack, arguments).await.unwrap();
        let said: Vec<&str> = outcome.as_array().unwrap().iter().filter_map(|one| one.as_str()).collect();
        assert_eq!(said[..4], ["refused"; 4], "nothing can be read");
        assert!(said.len() == 8 && said.iter().all(|one| ["refused", "opaque"].contains(one)), "{said:?}");
        assert!(stage.gateway.now() < before + 3_600, "the clock is unchanged");
        let own: Value = stage.gateway.post("/sandbox/business", &json!({}));
        assert_ne!(own["name"], "Mine", "the business is unchanged");
        let inbox: Value = stage.gateway.get("/sandbox/inbox");
        assert_eq!(inbox, json!([]));
    });
}
