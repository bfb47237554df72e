//! What a payer does.

use serde_json::json;

use crate::support::asking::asks_for;
use crate::support::kit::{KINDS, Kind, KitStage, before_each_server, deposit};
use crate::support::merchant::Merchant;
use crate::support::sandbox::{expected, share};
use crate::support::stage::with_browser;

#[test]
fn a_payment_is_paid_with_bitcoin() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        let shown = page.until_screen("pay").await;
        asks_for(&shown, &payment);
        assert!(shown.text.contains("Pay Tea & Co") && shown.text.contains("order-1"), "{}", shown.text);
        assert!(shown.shown("lookup").is_none(), "no server draws this form");
        let (amount, address) = (expected(&payment), payment.wallet_address.clone().expect("an address"));
        let code = page.scan().await;
        assert!(code.to_ascii_lowercase().contains(&address) && code.contains(&amount), "{code}");
        assert_eq!(page.copy("copy-address").await, address);

        stage.pay(&payment, "AWAITING", "UNCONFIRMED");
        page.until_screen("seen").await;
        stage.pay(&payment, "DEPOSITED", "CONFIRMED");
        let paid = page.until_screen("paid").await;
        assert!(paid.text.contains(&amount), "{}", paid.text);
        page.reload().await;
        page.until_screen("paid").await;
    });
}

#[test]
fn the_receipt_sums_the_deposits_where_the_server_does_not() {
    for kind in [Kind::Node, Kind::Python] {
        with_browser(async |browser| {
            let stage = KitStage::open_at(kind, browser, |_| json!({}));
            let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
            let parts = [("0.0002", "CONFIRMED"), ("0.00021667", "CONFIRMED")];
            stage.say(&payment, "OVERPAID", &parts);
            let paid = stage.page().until("is overpaid", |page| page.is("overpaid")).await;
            assert!(paid.text.contains("0.00041667") && paid.text.contains("€50.00"), "{}", paid.text);
            browser.seal_console().await;
        });
    }
}

#[test]
fn a_token_is_paid_on_the_chosen_network() {
    before_each_server(&async |stage| {
        let payment = stage.open_and_choose(json!({}), "USDT", "TRX").await;
        let page = stage.page();
        let shown = page.until_screen("pay").await;
        asks_for(&shown, &payment);
        assert!(shown.text.contains("TRON (TRC-20)"), "{}", shown.text);
        stage.pay(&payment, "AWAITING", "UNCONFIRMED");
        let seen = page.until_screen("seen").await;
        assert!(seen.text.contains("TRON (TRC-20)"), "the network of what has come: {}", seen.text);
        page.click("locale").await;
        page.click_on("[data-locale=de-DE]").await;
        page.until("is in German", |page| page.text.contains("Wir haben Ihre Transaktion erkannt")).await;
    });
}

#[test]
fn the_tag_comes_before_the_address() {
    before_each_server(&async |stage| {
        let payment = stage.open_and_choose(json!({}), "XRP", "XRP").await;
        let shown = stage.page().until_screen("pay").await;
        asks_for(&shown, &payment);
        assert!(
            payment.destination_tag.is_some() && shown.value("tag") == payment.destination_tag.as_deref()
        );
    });
}

#[test]
fn the_page_computes_what_is_left_to_pay() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "LTC", "LTC").await;
        let ((part, rest), (_, least)) = (share(&payment, 1, 4), share(&payment, 1, 2));
        // Digits that the coin does not have.
        stage.say(&payment, "AWAITING", &[(&format!("{part:0<10}9"), "UNCONFIRMED")]);
        let seen = page.until_screen("partial").await;
        assert_eq!(seen.value("remaining"), Some(rest.as_str()));
        assert!(!seen.text.contains("You can close this page"), "{}", seen.text);
        stage.say(&payment, "AWAITING", &[(&part, "CONFIRMED"), (&part, "CONFIRMED")]);
        let partial =
            page.until("asks for the last part", |page| page.value("remaining") == Some(&least)).await;
        assert_eq!(partial.screen.as_deref(), Some("partial"));
        assert_eq!(partial.packed("address"), payment.wallet_address, "the same address");
        let parts = [(&*part, "CONFIRMED"), (&*part, "CONFIRMED"), (&*least, "CONFIRMED")];
        stage.say(&payment, "DEPOSITED", &parts);
        page.until_screen("paid").await;
    });
}

#[test]
fn an_excess_shows_its_refund() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "LTC", "LTC").await;
        let (too_much, _) = share(&payment, 3, 2);
        let refund = |status: &str| {
            json!({
                "type": "PARTIAL", "status": status, "reason": "OVERPAYMENT", "amount": "0.15", "fee": "0.001",
                "displayCurrency": "EUR", "displayAmount": "12.00", "displayFee": "0.08",
            })
        };
        let say = |status: &str| {
            let mut deposit = deposit(&payment, 0, (&too_much, "CONFIRMED"));
            deposit["refund"] = refund(status);
            stage.server.set(&payment.payment_id, &json!({"status": "OVERPAID", "deposits": [deposit]}));
        };
        say("PENDING");
        let overpaid = page.until_screen("overpaid").await;
        assert_eq!(overpaid.value("refund"), Some("PENDING"), "{}", overpaid.text);
        say("CONFIRMED");
        page.until("shows that it was sent", |page| page.value("refund") == Some("CONFIRMED")).await;
    });
}

#[test]
fn a_second_transfer_for_a_paid_order_is_told() {
    before_each_server(&async |stage| {
        let payment = stage.open_and_choose(json!({}), "LTC", "LTC").await;
        let price = expected(&payment);
        let mut second = deposit(&payment, 1, (&price, "CONFIRMED"));
        second["refund"] = json!({
            "type": "FULL", "status": "PENDING", "reason": "FOLLOW_UP_DEPOSIT", "amount": price, "fee": "0",
            "displayCurrency": "EUR", "displayAmount": "25.00", "displayFee": "0.00",
        });
        let deposits = [deposit(&payment, 0, (&price, "CONFIRMED")), second];
        stage.server.set(&payment.payment_id, &json!({"status": "DEPOSITED", "deposits": deposits}));
        let twice = stage.page().until_screen("paid-twice").await;
        assert_eq!(twice.value("refund"), Some("PENDING"), "{}", twice.text);
    });
}

#[test]
fn a_transfer_vanishes() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        stage.pay(&payment, "AWAITING", "UNCONFIRMED");
        page.until_screen("seen").await;
        stage.say(&payment, "PENDING", &[]);
        let again = page.until_screen("pay").await;
        assert!(again.shown("news").is_some(), "the payer is told: {}", again.text);
    });
}

#[test]
fn the_payer_is_redirected_to_the_merchant() {
    before_each_server(&async |stage| {
        let merchant = Merchant::open("<title>Thanks</title><h1>Welcome back</h1>", &[]);
        let target = format!("{}/thanks?order=7", merchant.origin);
        let payment = stage.open_and_choose(json!({"redirectUrl": target}), "BTC", "BTC").await;
        stage.pay(&payment, "DEPOSITED", "CONFIRMED");
        stage.page().until_screen("paid").await;
        stage.page().until("is the merchant's page", |page| page.url == target).await;
    });
}

#[test]
fn a_fixed_currency_is_the_only_choice() {
    before_each_server(&async |stage| {
        let order = json!({"depositCurrency": "USDT", "expectedNetwork": "TRX"});
        stage.open(order).await;
        let page = stage.page();
        let choose = page.until_screen("choose").await;
        assert!(choose.offers("currency", "USDT") && !choose.offers("currency", "BTC"));
        page.pick("currency", "USDT").await;
        let pay = page.until_screen("pay").await;
        assert_eq!(pay.value("network"), Some("TRX"));
    });
}

#[test]
fn a_reusable_payment_is_paid_again() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
        assert_eq!(page.until_screen("pay").await.countdown(), None, "it never expires");
        stage.pay(&payment, "DEPOSITED", "CONFIRMED");
        let paid = page.until_screen("paid").await;
        assert!(paid.shown("pay-again").is_some(), "{:?}", paid.parts.keys());
        page.follow("pay-again", "asks for another payment", |page| page.is("pay")).await;
    });
}

#[test]
fn another_choice_is_possible_until_something_came() {
    before_each_server(&async |stage| {
        let page = stage.page();
        stage.open_and_choose(json!({}), "BTC", "BTC").await;
        page.click("change-currency").await;
        page.choose("LTC", "LTC").await;
        page.until("asks for LTC", |page| page.value("currency") == Some("LTC")).await;
        // This server has no such pair.
        page.click("change-currency").await;
        page.until_screen("choose").await;
        stage.browser.expect_in_console("422");
        page.pick("currency", "BCH").await;
        page.until("says so", |page| page.text.contains("This currency is not possible")).await;
    });
}

#[test]
fn the_merchants_pairs_are_offered_in_their_order() {
    with_browser(async |browser| {
        browser.expect_in_console("pairs has NO.NO");
        let settings = |_: &str| {
            json!({
                "pairs": ["XRP.XRP", "BTC.BTC", "NO.NO"], "theme": "DARK",
                "supportUrl": "mailto:help@shop.example?subject={reference}",
            })
        };
        let stage = KitStage::open_at(KINDS[0], browser, settings);
        stage.open(json!({})).await;
        let choose = stage.page().until_screen("choose").await;
        let offered: Vec<_> = choose.parts["currency"].iter().map(|part| part.value.as_deref()).collect();
        assert_eq!(offered, [Some("XRP"), Some("BTC")]);
        assert_eq!(browser.run("return document.documentElement.dataset.theme", vec![]).await, json!("DARK"));
        browser.seal_console().await;
    });
}
