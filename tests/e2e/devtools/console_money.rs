//! Whitelist, withdrawals, refunds and terms, by clicks.

use std::process::Command;

use checkout_wire::Word;
use fantoccini::Locator;
use serde_json::{Value, json};

use crate::support::developer::{Developer, count};
use crate::support::gateway::order;
use crate::support::logo;
use crate::support::stage::{journey, journey_under};

const BITCOIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const MISTYPED: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5";

/// Creates a payment and pays it in full, with the console.
async fn earn(console: &Developer<'_>, order: &str) {
    console.create(order, "BTC/BTC").await;
    console.until_status("PENDING").await;
    console.page.click("pay-exact").await;
    console.until("lists the transfer", |page| count(page, "deposit", "UNCONFIRMED") == 1).await;
    console.page.click("mine").await;
    console.until_status("DEPOSITED").await;
}

#[test]
fn to_a_whitelisted_address() {
    journey(async |stage| {
        stage.browser.expect_in_console("the server responded with a status of 422");
        let console = Developer::open(stage).await;
        let page = console.page;
        for order in ["order-1", "order-2"] {
            earn(&console, order).await;
        }
        console.go("money").await;
        page.click("whitelist").await;
        console.until("shows the form", |page| page.shown("whitelist-address").is_some()).await;
        console.fill("whitelist-address", MISTYPED).await;
        page.click("whitelist-it").await;
        let fault = console.until("shows the error", |page| page.shown("field-fault").is_some()).await;
        assert_eq!(fault.shown("field-fault").unwrap().text, "is refused on BTC: bad_checksum");
        page.click("sample").await;
        console.fill("whitelist-id", "treasury").await;
        page.click("whitelist-it").await;
        console.until("lists it", |page| count(page, "whitelisted", "treasury") == 1).await;
        let kept: Value = stage.gateway.get("/whitelist-addresses");
        assert_eq!((&kept[0]["clientAddressId"], &kept[0]["address"]), (&"treasury".into(), &BITCOIN.into()));

        page.click("withdraw-to").await;
        let form = console.until("shows the form", |page| page.shown("withdraw-amount").is_some()).await;
        assert!(form.text.contains("0.00003 BTC for the chain"), "the fee is shown before anything is typed");
        console.fill("withdraw-amount", "20").await;
        let few =
            console.until("shows that it is too little", |page| page.shown("field-fault").is_some()).await;
        assert!(few.shown("field-fault").unwrap().text.ends_with("BTC is less than 0.0005 BTC"));
        page.click("smallest").await;
        let shown = console.until("shows the cost", |page| page.value("costs") == Some("known")).await;
        let taken = shown.value("cost-all").unwrap().to_owned();
        let before: f64 = balance(&shown);
        page.click("withdraw-it").await;
        let sent = console
            .until("waits for its block", |page| {
                count(page, "withdrawal", "COMPLETED") == 1 && page.value("wait") == Some("1")
            })
            .await;
        assert!(sent.text.contains(&format!("{taken} taken")), "{taken}");
        let taken: f64 = taken.trim_end_matches(" EUR").parse().unwrap();
        assert!((before - taken - balance(&sent)).abs() < 0.001, "{before} - {taken} is not the balance");
        page.click("mine-wait").await;
        console.until("no longer waits", |page| page.shown("wait").is_none()).await;
        console.go("inbox").await;
        console.until("tells the merchant", |page| page.text.contains("Withdrawal ended")).await;
    });
}

fn balance(page: &crate::support::snapshot::Snapshot) -> f64 {
    let parts = &page.parts["balance"];
    let fiat = parts.iter().find(|part| part.value.as_deref() == Some("FIAT"));
    let text = fiat.map_or("", |part| part.text.split_whitespace().next().unwrap_or_default());
    text.parse().unwrap_or_else(|_| panic!("the balance is not a number: {parts:?}"))
}

/// For a chain with long finality, the console shows how many blocks are missing and mines them.
#[test]
fn a_refund_waits_for_blocks() {
    journey_under("[finality]\nBTC = 4\n", async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        console.go("world").await;
        page.click_on("[aria-label='Terms of the business'] summary").await;
        console.pick("terms-overpayment", "EXCESS_REFUND").await;
        console.fill("terms-ratio", "0.5").await;
        page.click("set-terms").await;
        console.until("has the terms", |page| page.text.contains("50 % in BTC, the rest in EUR")).await;
        let id = console.create("order-1", "BTC/BTC").await;
        console.until_status("PENDING").await;
        page.click("pay-more").await;
        console.until("lists the transfer", |page| count(page, "deposit", "UNCONFIRMED") == 1).await;
        page.click("mine").await;
        let waits = console.until("waits", |page| page.value("wait") == Some("3")).await;
        assert_eq!(waits.value("refund"), Some("PENDING"));
        assert!(waits.shown("wait").unwrap().text.contains("then it is sent"));
        page.click("mine-wait").await;
        console
            .until("waits for the refund's own blocks", |page| {
                page.value("wait") == Some("4")
                    && page.shown("wait").unwrap().text.contains("then it is final")
            })
            .await;
        page.click("mine-wait").await;
        let done = console
            .until("no longer waits", |page| {
                page.shown("wait").is_none() && page.value("refund") == Some("CONFIRMED")
            })
            .await;
        assert_eq!(count(&done, "event", "REFUNDED"), 1);
        let policy = stage.gateway.payment(&id).overpayment_policy;
        assert_eq!(policy.as_ref().map(Word::as_str), Some("EXCESS_REFUND"));
        console.go("money").await;
        console
            .until("has crypto", |page| {
                page.parts["balance"]
                    .iter()
                    .any(|part| part.value.as_deref() == Some("CRYPTO") && part.text.starts_with("0.000"))
            })
            .await;
    });
}

/// The command line shown for a click is equivalent to it.
#[test]
fn a_click_as_a_shell_command() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        console.create("it's order 1", "").await;
        let line = console.page.copy("curl").await;
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
    });
}

#[test]
fn brand_of_the_business() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        console.go("world").await;
        let (_folder, file) = logo::file();
        let field = stage.browser.client.find(Locator::Css("[data-part=brand-logo]")).await;
        let field = field.expect("the form has a file");
        field.send_keys(file.to_str().expect("a temporary path is text")).await.expect("it takes a path");
        stage.browser.expect_in_console("status of 422");
        console.fill("brand-color", "yellow").await;
        console.page.click("set-brand").await;
        console.until_said("brandColor").await;
        console.fill("brand-color", "#1b6e4b").await;
        console.page.click("set-brand").await;
        console.until_said("show the brand").await;
        let styled = async || {
            let page = stage.page();
            page.open(&stage.gateway.create(&order()).payment_url).await;
            page.until_screen("choose").await;
            let seen = "const style = [...document.querySelectorAll('style')].map((style) => style.textContent).join('');
                return [style.includes('#1b6e4b'), style.includes('/logos/')];";
            stage.browser.run(seen, vec![]).await
        };
        assert_eq!(styled().await, json!([true, true]));
        let console = Developer::open(stage).await;
        console.go("world").await;
        console.page.click("remove-brand").await;
        console.until_said("removed").await;
        assert_eq!(styled().await, json!([false, false]));
    });
}
