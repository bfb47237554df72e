//! A payer who sends exactly the amount shown has paid, whatever was quoted before or after and however the
//! rate changes.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use checkout_core::pair::PAIRS;
use serde_json::{Value, json};

use super::inbox::Inbox;
use super::{World, callbacks, refunds};

/// A quote as shown by the page.
pub(super) struct Shown {
    currency: String,
    network: String,
    address: String,
    tag: Option<String>,
    pub(super) amount: String,
    /// When its window ends.
    until: u64,
}

pub(super) fn shown(payment: &Value) -> Shown {
    let text = |key: &str| payment[key].as_str().unwrap().to_owned();
    let time = |key: &str| payment[key].as_u64().unwrap();
    let (first, requested) = (time("paymentInitiatedAt") + 1_800, time("paymentRequestedAt"));
    Shown {
        currency: text("depositCurrency"),
        network: text("expectedNetwork"),
        address: text("walletAddress"),
        tag: payment["destinationTag"].as_str().map(str::to_owned),
        amount: text("expectedDepositAmount"),
        until: if requested >= first { requested + 1_800 } else { first },
    }
}

pub(super) async fn quote(world: &World, id: &str, currency: &str, network: &str) -> Shown {
    let body = json!({"depositCurrency": currency, "network": network});
    let answer = world.patch(&format!("/api/v1/payments/{id}"), &world.token, &body).await;
    assert_eq!(answer.status, StatusCode::OK, "{:#}", answer.json);
    shown(&answer.json["paymentInfo"])
}

async fn send(world: &World, to: &Shown, amount: &str) {
    transfer(world, to, amount).await;
    world.mine(&to.network).await;
}

async fn transfer(world: &World, to: &Shown, amount: &str) {
    let mut transfer =
        json!({"network": to.network, "currency": to.currency, "address": to.address, "amount": amount});
    if let Some(tag) = &to.tag {
        transfer["destinationTag"] = json!(tag);
    }
    world.sandbox("transfers", transfer).await;
}

/// Sends the amount that was shown, at this time by the network.
pub(super) async fn send_dated(world: &World, to: &Shown, dated: u64) {
    send_part(world, to, &to.amount, dated).await;
    world.mine(&to.network).await;
}

/// The same of another amount, which is not read before the next block.
pub(super) async fn send_part(world: &World, to: &Shown, amount: &str, dated: u64) {
    let pair = checkout_core::pair::by_codes(&to.currency, &to.network).unwrap();
    let transfer = checkout_simulator::requests::TransferRequest {
        pair,
        amount: checkout_core::Amount::parse(amount, pair.decimals).unwrap(),
        address: to.address.clone(),
        tag: to.tag.clone(),
        from: None,
        from_tag: None,
        replaceable: false,
        transaction: None,
        sender: None,
    };
    world.simulated.simulator.send(&transfer, dated, [7; 32]).await.unwrap();
}

pub(super) async fn set_rate(world: &World, currency: &str, rate: &str) {
    world.sandbox("rates", json!({"from": currency, "to": "EUR", "rate": rate})).await;
}

pub(super) async fn status(world: &World, id: &str) -> String {
    world.payment(id).await["status"].as_str().unwrap().to_owned()
}

/// The rate falls by a cent, or rises, between the quote and the transfer.
#[tokio::test]
async fn at_a_floating_rate_the_shown_amount_pays() {
    for (number, rate) in ["59999.99", "60000.01", "30000", "90000"].into_iter().enumerate() {
        let world = refunds::world().await;
        let order = json!({"clientPaymentId": format!("order-{number}"), "rateType": "FLOATING"});
        let (id, _) = world.quoted(order, "BTC", "BTC").await;
        let quoted = shown(&world.payment(&id).await);
        set_rate(&world, "BTC", rate).await;
        send(&world, &quoted, &quoted.amount).await;
        assert_eq!(status(&world, &id).await, "DEPOSITED", "at {rate}");
    }
}

/// If the rate rose, the value at receipt pays, too.
#[tokio::test]
async fn at_a_floating_rate_the_value_at_receipt_pays() {
    let world = refunds::world().await;
    let (id, _) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
    let quoted = shown(&world.payment(&id).await);
    set_rate(&world, "BTC", "80000").await;
    send(&world, &quoted, "0.00125").await;
    assert_eq!(status(&world, &id).await, "DEPOSITED");
}

/// A business accepts half a percent less at a floating rate, and what no node relays at a fixed one.
#[tokio::test]
async fn a_small_shortfall_is_accepted() {
    let check = async |rate_type: &str, amount: &str, expected: &str| {
        let world = refunds::world().await;
        let (id, _) = world.quoted(json!({"rateType": rate_type}), "BTC", "BTC").await;
        let quoted = shown(&world.payment(&id).await);
        assert_eq!(quoted.amount, "0.00166667");
        send(&world, &quoted, amount).await;
        assert_eq!(status(&world, &id).await, expected, "{rate_type} {amount}");
    };
    check("FIXED", "0.00166374", "DEPOSITED").await;
    check("FIXED", "0.00166373", "AWAITING").await;
    check("FLOATING", "0.00165834", "DEPOSITED").await;
    check("FLOATING", "0.00165833", "AWAITING").await;
}

/// Every pair, after another one was quoted: the earlier quote pays as well as the last.
#[tokio::test]
async fn an_earlier_quote_pays_exactly() {
    for rate_type in ["FIXED", "FLOATING"] {
        for (first, second) in [
            (("LTC", "LTC"), ("BTC", "BTC")),
            (("BTC", "BTC"), ("LTC", "LTC")),
            (("USDT", "TRX"), ("USDC", "BSC")),
            (("XRP", "XRP"), ("ETH", "ETH")),
            (("ETH", "ETH"), ("LINK", "ETH")),
            (("ETH", "ETH"), ("ETH", "BSC")),
            (("XLM", "XLM"), ("BCH", "BCH")),
        ] {
            for pays_first in [true, false] {
                let world = refunds::world().await;
                let created = world.create(json!({"rateType": rate_type, "displayAmount": "99.99"})).await;
                let id = created.payment_id();
                let quotes = [
                    quote(&world, &id, first.0, first.1).await,
                    quote(&world, &id, second.0, second.1).await,
                ];
                let paid = if pays_first { &quotes[0] } else { &quotes[1] };
                send(&world, paid, &paid.amount).await;
                let payment = world.payment(&id).await;
                assert_eq!(payment["status"], "DEPOSITED", "{rate_type} {first:?} {second:?} {payment:#}");
                assert_eq!(payment["actualDisplayAmount"], "99.99", "{payment:#}");
            }
        }
    }
}

/// BTC, then ETH, then BTC at a moved rate: both amounts of BTC pay, and nothing is refunded.
#[tokio::test]
async fn an_amount_shown_before_another_choice_pays() {
    for (rate_type, rate) in
        [("FIXED", "50000"), ("FIXED", "72000"), ("FLOATING", "50000"), ("FLOATING", "72000")]
    {
        for pays_first in [true, false] {
            let world = refunds::world().await;
            let created = world.create(json!({"rateType": rate_type, "displayAmount": "100.00"})).await;
            let id = created.payment_id();
            let first = quote(&world, &id, "BTC", "BTC").await;
            quote(&world, &id, "ETH", "ETH").await;
            set_rate(&world, "BTC", rate).await;
            let again = quote(&world, &id, "BTC", "BTC").await;
            let paid = if pays_first { &first } else { &again };
            send(&world, paid, &paid.amount).await;
            let payment = world.payment(&id).await;
            assert_eq!(payment["status"], "DEPOSITED", "{rate_type} at {rate}, {}", paid.amount);
            assert!(payment["deposits"][0].get("refund").is_none(), "{payment:#}");
        }
    }
}

/// At a fixed rate a payer who comes back to a pair within its window sees the same amount until the same end.
#[tokio::test]
async fn a_fixed_quote_is_the_same_after_another_choice() {
    let world = refunds::world().await;
    let created = world.create(json!({"rateType": "FIXED", "displayAmount": "100.00"})).await;
    let id = created.payment_id();
    let facts = |payment: &Value| {
        ["expectedDepositAmount", "walletAddress", "paymentRequestedAt", "expectedNetwork"]
            .map(|name| payment[name].clone())
    };
    quote(&world, &id, "BTC", "BTC").await;
    let first = facts(&world.payment(&id).await);
    world.advance(60).await;
    quote(&world, &id, "ETH", "ETH").await;
    set_rate(&world, "BTC", "45000").await;
    world.advance(60).await;
    quote(&world, &id, "BTC", "BTC").await;
    assert_eq!(facts(&world.payment(&id).await), first);
    // After the window there is a new quote at the new rate.
    world.advance(1_800).await;
    quote(&world, &id, "BTC", "BTC").await;
    let late = world.payment(&id).await;
    assert_eq!(late["expectedDepositAmount"], "0.00222223", "{late:#}");
    assert_eq!(late["status"], "PENDING");
    // In the second window the same holds.
    let second = facts(&late);
    quote(&world, &id, "ETH", "ETH").await;
    set_rate(&world, "BTC", "90000").await;
    world.advance(60).await;
    quote(&world, &id, "BTC", "BTC").await;
    assert_eq!(facts(&world.payment(&id).await), second);
}

/// A back end that sends PATCH with each page load: each amount pays, in one transfer or in parts. An amount between
/// them pays, too, and only what exceeds the largest is an excess.
#[tokio::test]
async fn every_amount_of_a_pair_quoted_again_pays() {
    // 0.00166667 BTC at 60,000 EUR, then 0.00200000 at 50,000.
    let check = async |parts: &[&str], status: &str, refund: Option<&str>| {
        let world = refunds::world().await;
        let (id, _) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
        let quoted = shown(&world.payment(&id).await);
        set_rate(&world, "BTC", "50000").await;
        assert_eq!(quote(&world, &id, "BTC", "BTC").await.amount, "0.00200000".trim_end_matches('0'));
        for part in parts {
            transfer(&world, &quoted, part).await;
        }
        world.mine("BTC").await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], status, "{parts:?} {payment:#}");
        let refunds: Vec<&Value> = payment["deposits"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|deposit| deposit.get("refund"))
            .collect();
        let gross = refunds.first().map(|refund| {
            let part = |name: &str| checkout_core::decimal::parse(refund[name].as_str().unwrap(), 8).unwrap();
            (part("amount") + part("fee")).normalize().to_string()
        });
        assert_eq!(gross.as_deref(), refund, "{parts:?} {payment:#}");
    };
    check(&["0.00166667"], "DEPOSITED", None).await;
    check(&["0.002"], "DEPOSITED", None).await;
    check(&["0.0018"], "DEPOSITED", None).await;
    check(&["0.00083333", "0.00083334"], "DEPOSITED", None).await;
    check(&["0.001", "0.001"], "DEPOSITED", None).await;
    check(&["0.003"], "OVERPAID", Some("0.001")).await;
    check(&["0.0015"], "AWAITING", None).await;
}

/// Parts of one shown amount pay, also when the window of another quote ends between them.
#[tokio::test]
async fn parts_pay_across_the_end_of_another_quote() {
    let world = refunds::world().await;
    let (id, _) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
    world.advance(1_860).await;
    assert_eq!(quote(&world, &id, "BTC", "BTC").await.amount, "0.00166667");
    world.advance(600).await;
    set_rate(&world, "BTC", "50000").await;
    let last = quote(&world, &id, "BTC", "BTC").await;
    assert_eq!(last.amount, "0.002");
    world.advance(1_140).await;
    transfer(&world, &last, "0.001").await;
    world.advance(100).await;
    transfer(&world, &last, "0.001").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "DEPOSITED", "{payment:#}");
    assert!(
        payment["deposits"].as_array().unwrap().iter().all(|one| one.get("refund").is_none()),
        "{payment:#}"
    );
}

/// The time of a block can be before the quote that its transfer pays, and then in the window of an earlier one.
#[tokio::test]
async fn a_block_that_is_dated_before_its_quote_pays() {
    for (rate_type, rate) in [("FIXED", "66000"), ("FLOATING", "66000"), ("FLOATING", "54000")] {
        let world = refunds::world().await;
        let (id, _) = world.quoted(json!({"rateType": rate_type}), "BTC", "BTC").await;
        world.advance(1_860).await;
        set_rate(&world, "BTC", rate).await;
        let last = quote(&world, &id, "BTC", "BTC").await;
        assert_ne!(last.amount, "0.00166667");
        let dated = world.app.clock.now() - 120;
        send_dated(&world, &last, dated).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["deposits"][0]["depositReceivedAt"], json!(dated));
        assert_eq!(payment["status"], "DEPOSITED", "{rate_type} at {rate}: {payment:#}");
        assert!(payment["deposits"][0].get("refund").is_none(), "{payment:#}");
    }
}

/// The price stays the one that was shown: its currency cannot change after a quote.
#[tokio::test]
async fn the_display_currency_stays_after_a_quote() {
    let world = World::new().await;
    let created = world.create(json!({"displayCurrency": null})).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let first = json!({"depositCurrency": "BTC", "displayCurrency": "USD"});
    let answer = world.patch(&path, &world.token, &first).await;
    assert_eq!(answer.status, StatusCode::OK, "{:#}", answer.json);
    let second = json!({"depositCurrency": "BTC", "displayCurrency": "EUR"});
    assert_eq!(world.patch(&path, &world.token, &second).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// A price in coins is paid by that many coins, whatever the rate does.
#[tokio::test]
async fn a_price_in_coins_is_paid_by_that_many_coins() {
    for (currency, network, dear) in [("BTC", "BTC", "120000"), ("XRP", "XRP", "1"), ("USDT", "TRX", "1.84")]
    {
        for (rate_type, rate) in [("FLOATING", dear), ("FIXED", dear), ("FLOATING", "0.1")] {
            for (amount, expected) in [("6", "AWAITING"), ("12", "DEPOSITED"), ("13", "OVERPAID")] {
                let world = refunds::world().await;
                let order = json!({"displayAmount": null, "depositAmount": "12", "depositCurrency": currency,
                    "displayCurrency": "EUR", "rateType": rate_type});
                let (id, _) = world.quoted(order, currency, network).await;
                let quoted = shown(&world.payment(&id).await);
                assert_eq!(quoted.amount, "12");
                set_rate(&world, currency, rate).await;
                send(&world, &quoted, amount).await;
                assert_eq!(status(&world, &id).await, expected, "{amount} {currency} {rate_type} at {rate}");
            }
        }
    }
}

/// Another coin at the address of a price in coins counts by its value when it arrives, in the coins of the price.
#[tokio::test]
async fn another_coin_counts_by_its_value_in_the_coins_of_the_price() {
    // LINK at 20 EUR; ETH at 3,000 EUR, then at 6,000.
    for (links, expected) in [("150", "AWAITING"), ("300", "DEPOSITED")] {
        for rate_type in ["FIXED", "FLOATING"] {
            let world = refunds::world().await;
            let order = json!({"displayAmount": null, "depositAmount": "1", "depositCurrency": "ETH",
                "displayCurrency": "EUR", "rateType": rate_type});
            let (id, _) = world.quoted(order, "ETH", "ETH").await;
            let eth = shown(&world.payment(&id).await);
            set_rate(&world, "LINK", "20").await;
            set_rate(&world, "ETH", "6000").await;
            let link = Shown { currency: "LINK".to_owned(), ..eth };
            send(&world, &link, links).await;
            assert_eq!(status(&world, &id).await, expected, "{links} LINK {rate_type}");
        }
    }
}

/// Half by one quote and half by another.
#[tokio::test]
async fn two_halves_in_two_coins_pay() {
    let world = refunds::world().await;
    let created = world.create(json!({"displayAmount": "100.00"})).await;
    let id = created.payment_id();
    let ltc = quote(&world, &id, "LTC", "LTC").await;
    let btc = quote(&world, &id, "BTC", "BTC").await;
    assert_eq!((ltc.amount.as_str(), btc.amount.as_str()), ("1.33333334", "0.00166667"));
    send(&world, &ltc, "0.66666667").await;
    send(&world, &btc, "0.00083334").await;
    assert_eq!(status(&world, &id).await, "DEPOSITED");
}

/// A REUSABLE payment can be paid and quoted any number of times.
#[tokio::test]
async fn a_reusable_payment_stays_payable() {
    let world = refunds::world().await;
    let created = world.create(json!({"type": "REUSABLE"})).await;
    let id = created.payment_id();
    for (currency, network) in [("BTC", "BTC"), ("LTC", "LTC"), ("BTC", "BTC")] {
        let quoted = quote(&world, &id, currency, network).await;
        send(&world, &quoted, &quoted.amount).await;
        assert_eq!(status(&world, &id).await, "DEPOSITED");
        world.advance(86_400).await;
    }
    let payment = world.payment(&id).await;
    assert_eq!(payment["actualDisplayAmount"], "300.00", "{payment:#}");
    assert!(payment["deposits"].as_array().unwrap().iter().all(|deposit| deposit.get("refund").is_none()));
}

/// The callback compares amounts in one coin: the price is in the currency of the deposit.
#[tokio::test]
async fn a_callback_has_the_price_in_the_currency_of_the_deposit() {
    let inbox = Inbox::open();
    let world = callbacks::world(&inbox).await;
    let created = world.create(json!({"displayAmount": "100.00"})).await;
    let id = created.payment_id();
    let eth = quote(&world, &id, "ETH", "ETH").await;
    let link = Shown { currency: "LINK".to_owned(), ..eth };
    send(&world, &link, "1").await;
    callbacks::deliver(&world).await;
    let body = inbox.received()[0].json();
    assert_eq!((&body["depositCurrency"], &body["actualDepositAmount"]), (&json!("LINK"), &json!(1)));
    let rate = world.get("/api/v1/rates?from=LINK&to=EUR", &world.token).await.json[0]["rate"].clone();
    let rate = checkout_core::decimal::parse(rate.as_str().unwrap(), 8).unwrap();
    let expected = body["expectedDepositAmount"].as_str().unwrap();
    let value = checkout_core::decimal::parse(expected, 18).unwrap() * rate;
    assert!(value >= 100.into() && value < 101.into(), "{expected} LINK at {rate}");
    assert_eq!(body["expectedDisplayAmount"], json!(100.0));
    assert_eq!(world.payment(&id).await["status"], "AWAITING");
}

/// Random prices, pairs, orders of quotes and rate paths: sending exactly a quote within its window ends DEPOSITED.
///
/// `CHECKOUT_CASES=10000` sets the number of cases, `CHECKOUT_FIRST_SEED` gives others, `CHECKOUT_SECONDS` ends them earlier.
#[tokio::test]
async fn the_shown_amount_always_pays() {
    let world = refunds::world().await;
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let (cases, seed) = (number("CHECKOUT_CASES").unwrap_or(200), number("CHECKOUT_FIRST_SEED").unwrap_or(0));
    let end = number("CHECKOUT_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ seed;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for case in 0..cases {
        if end.is_some_and(|end| Instant::now() > end) {
            eprintln!("{case} cases of shown quotes");
            break;
        }
        // Nodes relay it at each of the rates below.
        let price = format!("{}.{:02}", 3 + random(5_000), random(100));
        let rate_type = ["FIXED", "FLOATING"][usize::try_from(random(2)).unwrap()];
        let order =
            json!({"clientPaymentId": format!("case-{case}"), "displayAmount": price, "rateType": rate_type});
        let id = world.create(order).await.payment_id();
        let mut story = format!("seed {seed}, case {case}: {price} EUR {rate_type}");
        // Few pairs, so that most cases repeat one.
        let pairs: Vec<_> = (0..=random(3)).map(|_| &PAIRS[index(random(PAIRS.len() as u64))]).collect();
        let mut quotes: Vec<Shown> = Vec::new();
        let mut more = 1 + random(7);
        while more > 0 || quotes.is_empty() {
            more = more.saturating_sub(1);
            let pair = pairs[index(random(pairs.len() as u64))];
            let shown = quote(&world, &id, pair.currency.code(), pair.network.code()).await;
            write!(story, ", {} {} on {}", shown.amount, shown.currency, shown.network).unwrap();
            quotes.push(shown);
            let (moved, cents) = (pairs[index(random(pairs.len() as u64))], 90 + random(21));
            let rate = format!("{}.{cents:03}", 1 + random(70_000));
            set_rate(&world, moved.currency.code(), &rate).await;
            let seconds = if random(6) == 0 { 900 + random(1_800) } else { random(60) };
            world.advance(seconds).await;
            write!(story, ", {} at {rate}, {seconds} s", moved.currency).unwrap();
            let now = world.app.clock.now();
            quotes.retain(|quote| now < quote.until);
        }
        let paid = quotes.swap_remove(index(random(quotes.len() as u64)));
        let (first, rest) = if random(3) == 0 { halves(&paid) } else { (paid.amount.clone(), None) };
        write!(story, ", paid {first} and {rest:?} {} on {}", paid.currency, paid.network).unwrap();
        // Both parts are on their way before one of them can pay by its value.
        for part in [Some(first), rest].into_iter().flatten() {
            transfer(&world, &paid, &part).await;
        }
        world.mine(&paid.network).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], "DEPOSITED", "{story}");
        let refunded = payment["deposits"].as_array().unwrap().iter().any(|one| one.get("refund").is_some());
        assert!(!refunded, "{story}: {payment:#}");
    }
}

/// An amount as two parts.
fn halves(shown: &Shown) -> (String, Option<String>) {
    let pair = checkout_core::pair::find(shown.currency.parse().unwrap(), shown.network.parse().unwrap());
    let decimals = pair.unwrap().decimals;
    let whole = checkout_core::Amount::parse(&shown.amount, decimals).unwrap().atoms();
    let text = |atoms| checkout_core::Amount::from_atoms(atoms).unwrap().to_text(decimals);
    if whole < 2 {
        (shown.amount.clone(), None)
    } else {
        (text(whole / 3 + 1), Some(text(whole - whole / 3 - 1)))
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap()
}
