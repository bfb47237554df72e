//! `GET /api/v1/payments`: a merchant finds a payment by all that a customer can say, in pages that stay.

use axum::http::{Method, Request, StatusCode, header};
use checkout_core::pair::PAIRS;
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::{Answer, START, World, payment_body};
use crate::fixture::create_business;

const PATH: &str = "/api/v1/payments";

fn ids(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    let id = |payment: &Value| payment["paymentId"].as_str().unwrap().to_owned();
    answer.json.as_array().unwrap().iter().map(id).collect()
}

impl World {
    async fn found(&self, query: &str) -> Vec<String> {
        ids(&self.get(&format!("{PATH}?{query}"), &self.token).await)
    }

    /// The lines of the list as CSV.
    async fn csv(&self, query: &str) -> Vec<String> {
        let request = Request::get(format!("{PATH}?{query}"))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::ACCEPT, "text/csv, application/json;q=0.5")
            .body(axum::body::Body::empty());
        let answer = self.send(request.unwrap()).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
        String::from_utf8(answer.bytes).unwrap().lines().map(str::to_owned).collect()
    }
}

#[tokio::test]
async fn a_payment_is_listed_as_it_is_read() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    let listed = world.get(PATH, &world.token).await;
    assert_eq!(listed.json, json!([world.payment(&id).await]));
}

#[tokio::test]
async fn a_payment_is_found_by_what_a_customer_says() {
    let world = World::new().await;
    let (btc, _) = world.quoted(json!({"clientPaymentId": "order-7"}), "BTC", "BTC").await;
    let transaction = world.pay(&btc, "0.0001").await;
    let (eth, _) = world.quoted(json!({"clientPaymentId": "order-8"}), "ETH", "ETH").await;
    let sent = world.pay(&eth, "0.001").await;
    let (xrp, _) = world.quoted(json!({"clientPaymentId": "order 9"}), "XRP", "XRP").await;
    let (other, _) = world.quoted(json!({"clientPaymentId": "order-10"}), "XRP", "XRP").await;
    let new = world.create(json!({"clientPaymentId": "order-11"})).await.payment_id();
    let address = async |id: &str, name: &str| world.payment(id).await[name].as_str().unwrap().to_owned();
    let (bech32, evm) = (address(&btc, "walletAddress").await, address(&eth, "walletAddress").await);
    let (account, tag) = (address(&xrp, "walletAddress").await, address(&xrp, "destinationTag").await);
    let hash = sent.strip_prefix("0x").unwrap();
    let (btc, eth, xrp, other, new) = (&*btc, &*eth, &*xrp, &*other, &*new);
    let cases: Vec<(String, Vec<&str>)> = vec![
        (String::new(), vec![new, other, xrp, eth, btc]),
        ("clientPaymentId=order-7".into(), vec![btc]),
        ("clientPaymentId=order%209".into(), vec![xrp]),
        ("clientPaymentId=ORDER-7".into(), vec![]),
        ("status=NEW".into(), vec![new]),
        ("status=PENDING".into(), vec![other, xrp]),
        ("status=AWAITING".into(), vec![eth, btc]),
        ("currency=XRP".into(), vec![other, xrp]),
        ("network=ETH".into(), vec![eth]),
        ("currency=XRP&status=AWAITING".into(), vec![]),
        (format!("address={bech32}"), vec![btc]),
        (format!("address={}", bech32.to_ascii_uppercase()), vec![btc]),
        (format!("address={evm}"), vec![eth]),
        (format!("address={}", evm.to_ascii_lowercase()), vec![eth]),
        (format!("address={evm}&network=ETH"), vec![eth]),
        (format!("address={evm}&network=BSC"), vec![]),
        (format!("address={account}"), vec![other, xrp]),
        (format!("address={account}&destinationTag={tag}"), vec![xrp]),
        (format!("address={account}&destinationTag=4000000000"), vec![]),
        (format!("transactionId={transaction}"), vec![btc]),
        (format!("transactionId={}", transaction.to_ascii_uppercase()), vec![btc]),
        (format!("transactionId={sent}"), vec![eth]),
        (format!("transactionId={hash}"), vec![eth]),
        (format!("transactionId={sent}&address={evm}"), vec![eth]),
        (format!("transactionId={sent}&address={bech32}"), vec![]),
        ("transactionId=nothing".into(), vec![]),
        (format!("from={START}"), vec![new, other, xrp, eth, btc]),
        (format!("to={START}"), vec![]),
        (format!("from={START}&to={}", START + 1), vec![new, other, xrp, eth, btc]),
        (format!("from={}", START + 1), vec![]),
    ];
    for (query, expected) in &cases {
        assert_eq!(world.found(query).await, *expected, "{query}");
    }

    // Those that were paid in part expire with the others.
    for network in ["BTC", "ETH"] {
        world.mine(network).await;
    }
    world.advance(3601).await;
    checkout_gateway::service::payments::expire_payments::expire_due(&world.app).await.unwrap();
    let expired = world.found("status=EXPIRED").await;
    assert_eq!(expired, [new, other, xrp, eth, btc]);
    for (query, expected) in cases.iter().filter(|(query, _)| !query.contains("status=")) {
        assert_eq!(world.found(query).await, *expected, "expired: {query}");
    }
    assert_eq!(world.found("status=EXPIRED&currency=XRP").await, [other, xrp]);
}

#[tokio::test]
async fn the_address_of_every_pair_finds_its_payment() {
    let world = World::new().await;
    for (place, pair) in PAIRS.iter().filter(|pair| pair.deposit).enumerate() {
        let (currency, network) = (pair.currency.code(), pair.network.code());
        let fields = json!({"clientPaymentId": format!("{place}")});
        let (id, _) = world.quoted(fields, currency, network).await;
        let payment = world.payment(&id).await;
        let mut query = format!("address={}", payment["walletAddress"].as_str().unwrap());
        if let Some(tag) = payment.get("destinationTag") {
            query = format!("{query}&destinationTag={}", tag.as_str().unwrap());
        }
        assert_eq!(world.found(&query).await, [&*id], "{currency} {network}: {query}");
        let found = world.found(&format!("currency={currency}&network={network}")).await;
        assert_eq!(found, [id], "{currency} {network}");
    }
}

#[tokio::test]
async fn a_payment_is_found_by_the_pair_that_was_chosen_last() {
    let world = World::new().await;
    let fields = json!({"depositCurrency": "BTC", "network": "BTC", "displayAmount": "50.00"});
    let asked = world.create(fields).await;
    let id = asked.payment_id();
    assert_eq!(world.found("currency=BTC").await, [&*id]);
    let (moved, session) = world.quoted(json!({"clientPaymentId": "moved"}), "ETH", "ETH").await;
    let first = world.payment(&moved).await["walletAddress"].as_str().unwrap().to_owned();
    let body = json!({"depositCurrency": "LTC", "network": "LTC"});
    world.patch(&format!("{PATH}/{moved}"), &session, &body).await;
    assert_eq!(world.found("currency=ETH").await, [] as [&str; 0]);
    assert_eq!(world.found("currency=LTC").await, [&*moved]);
    assert_eq!(world.found(&format!("address={first}")).await, [&*moved], "by an address of before");
}

/// "I sent 0.0123": the price, an amount that was shown, or what arrived, in every spelling of the number.
#[tokio::test]
async fn a_payment_is_found_by_an_amount() {
    let world = World::new().await;
    let fields = |order: &str, amount: &str| json!({"clientPaymentId": order, "displayAmount": amount});
    let (coins, session) = world.quoted(fields("a", "25.00"), "LTC", "LTC").await;
    let due = world.payment(&coins).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    let body = json!({"depositCurrency": "BTC", "network": "BTC"});
    world.patch(&format!("{PATH}/{coins}"), &session, &body).await;
    world.pay(&coins, "0.01230").await;
    let dollars = json!({"clientPaymentId": "b", "displayAmount": "25.5", "displayCurrency": "USD"});
    let dollars = world.create(dollars).await.payment_id();
    let priced = json!({
        "clientPaymentId": "c", "displayAmount": null, "displayCurrency": "EUR", "depositCurrency": "BTC", "depositAmount": "0.5",
    });
    let priced = world.create(priced).await.payment_id();
    let (coins, dollars, priced) = (&*coins, &*dollars, &*priced);
    let cases: Vec<(String, Vec<&str>)> = vec![
        ("amount=25".into(), vec![coins]),
        ("amount=25.00%20EUR".into(), vec![coins]),
        ("amount=025.0".into(), vec![coins]),
        ("amount=25%20USD".into(), vec![]),
        (format!("amount={due}"), vec![coins]),
        (format!("amount={due}%20LTC"), vec![coins]),
        (format!("amount={due}%20BTC"), vec![]),
        ("amount=0.0123".into(), vec![coins]),
        ("amount=.0123%20BTC".into(), vec![coins]),
        ("amount=0.012".into(), vec![]),
        ("amount=25.50".into(), vec![dollars]),
        ("amount=25.5%20USD".into(), vec![dollars]),
        ("amount=0.50%20BTC".into(), vec![priced]),
        ("amount=0.5&status=NEW".into(), vec![priced]),
        ("amount=0.5&status=DEPOSITED".into(), vec![]),
    ];
    for (query, expected) in &cases {
        assert_eq!(world.found(query).await, *expected, "{query}");
    }
    for wrong in ["1,5", "abc", "-1", "1e5", "25%20XYZ", "25%20EUR%20EUR", "", "%20EUR", "1.2.3", ".", "1."] {
        let answer = world.get(&format!("{PATH}?amount={wrong}"), &world.token).await;
        assert_eq!(answer.errors(), [("/amount".to_owned(), "bad_amount".to_owned())], "{wrong}");
    }
}

#[tokio::test]
async fn pages_stay_while_payments_are_added() {
    let world = World::new().await;
    for number in 0..60 {
        world.create(json!({"clientPaymentId": format!("{number}")})).await;
    }
    let all = world.found("limit=100").await;
    assert_eq!(all.len(), 60);
    let reversed: Vec<_> = all.iter().rev().cloned().collect();
    assert!(reversed.is_sorted(), "the newest first");
    let listed = async |query: String| world.found(&query).await;
    assert_eq!(listed(String::new()).await, all[..25]);
    assert_eq!(listed("descending=false&limit=100".into()).await, reversed);
    assert_eq!(listed(format!("after={}&limit=7", all[9])).await, all[10..17]);
    assert_eq!(listed(format!("before={}&limit=7", all[9])).await, all[2..9]);
    assert_eq!(listed(format!("before={}", all[0])).await, [] as [String; 0]);
    assert_eq!(listed(format!("after={}", all[59])).await, [] as [String; 0]);
    assert_eq!(listed(format!("after={}&before={}", all[9], all[40])).await, all[10..35]);
    let after = format!("descending=false&after={}&limit=3", reversed[9]);
    assert_eq!(listed(after).await, reversed[10..13]);
    let before = format!("descending=false&before={}&limit=3", reversed[40]);
    assert_eq!(listed(before).await, reversed[37..40]);
    let (mut walked, mut query) = (Vec::new(), "limit=9".to_owned());
    loop {
        let page = world.found(&query).await;
        let Some(end) = page.last() else { break };
        query = format!("limit=9&after={end}");
        walked.extend(page);
        world.create(json!({"clientPaymentId": format!("new-{}", walked.len())})).await;
    }
    assert_eq!(walked, all, "each once, and no new one");
}

#[tokio::test]
async fn csv_has_all_payments() {
    let world = World::new().await;
    assert_eq!(world.csv("").await.len(), 1, "the header of an empty list");
    for number in 0..230 {
        world.create(json!({"clientPaymentId": format!("order \"{number}\", €")})).await;
    }
    let (id, _) = world.quoted(json!({"clientPaymentId": "last"}), "XRP", "XRP").await;
    let transactions = [world.pay(&id, "1").await, world.pay(&id, "2").await];
    let lines = world.csv("").await;
    assert_eq!(lines.len(), 232);
    assert!(lines[0].starts_with("paymentId,clientPaymentId,status,type,"), "{}", lines[0]);
    let payment = world.payment(&id).await;
    let text = |name: &str| payment[name].as_str().unwrap();
    let start =
        format!("{id},last,AWAITING,ONE_TIME,{START},EUR,100.00,{},XRP,XRP,", text("actualDisplayAmount"));
    assert!(lines[1].starts_with(&start), "{}", lines[1]);
    assert!(
        lines[1].ends_with(&format!("{},{},", text("destinationTag"), transactions.join(" "))),
        "{}",
        lines[1]
    );
    assert!(lines[2].contains(r#","order ""229"", €",NEW,"#), "{}", lines[2]);
    let ids: Vec<&str> = lines[1..].iter().map(|line| &line[..36]).collect();
    assert!(ids.is_sorted_by(|above, below| above > below), "each once, the newest first");
    assert_eq!(world.csv("limit=3").await, lines[..4], "the page");
    assert_eq!(world.csv(&format!("limit=2&after={}", ids[0])).await[1..], lines[2..4]);
    assert_eq!(world.csv(&format!("after={}", ids[199])).await[1..], lines[201..], "all from there on");
    let oldest_first = world.csv("descending=false").await;
    assert!(oldest_first[1..].iter().eq(lines[1..].iter().rev()));
}

#[tokio::test]
async fn only_the_own_payments_are_listed() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let address = world.payment(&id).await["walletAddress"].as_str().unwrap().to_owned();
    let transaction = world.pay(&id, "0.0001").await;
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, token) = create_business(&world.app, other).await;
    let queries = [
        String::new(),
        "clientPaymentId=order-1".to_owned(),
        format!("address={address}"),
        format!("transactionId={transaction}"),
        "currency=BTC".to_owned(),
    ];
    for query in &queries {
        let answer = world.get(&format!("{PATH}?{query}"), &token).await;
        assert_eq!(ids(&answer), [] as [&str; 0], "{query}");
        assert_eq!(world.found(query).await, [&*id], "{query}");
    }
    let stranger = world.get(&format!("{PATH}?after={id}"), &token).await;
    assert_eq!(stranger.errors(), [("/after".to_owned(), "unknown_cursor".to_owned())]);

    let key = world.organisation_key().await;
    let unnamed = world.get(PATH, &key).await;
    assert_eq!(unnamed.errors(), [("/businessId".to_owned(), "required".to_owned())]);
    let named = world.get(&format!("{PATH}?businessId={}", world.business.id), &key).await;
    assert_eq!(ids(&named), [&*id]);
    let payer = world.get(PATH, &session).await;
    assert_eq!(payer.status, StatusCode::NOT_FOUND, "a payer lists nothing");
    assert_eq!(world.call(Method::GET, PATH, None, None).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(world.post(PATH, &session, &payment_body(json!({}))).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn wrong_queries() {
    let world = World::new().await;
    let nobody = uuid::Uuid::nil();
    let check = async |query: &str, expected: &[(&str, &str)]| {
        let answer = world.get(&format!("{PATH}?{query}"), &world.token).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{query} {}", answer.json);
        let expected: Vec<_> = expected.iter().map(|(p, c)| ((*p).to_owned(), (*c).to_owned())).collect();
        assert_eq!(answer.errors(), expected, "{query}");
    };
    check("status=PAID", &[("/status", "unknown_value")]).await;
    check(
        "currency=NOPE&network=MAIN",
        &[("/currency", "unknown_currency"), ("/network", "unknown_network")],
    )
    .await;
    check("address=hello", &[("/address", "bad_address")]).await;
    check("address=", &[("/address", "bad_address")]).await;
    check("address=1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2&network=ETH", &[("/address", "bad_address")]).await;
    check("destinationTag=7", &[("/destinationTag", "required")]).await;
    check("from=yesterday&to=-1", &[("/from", "wrong_type"), ("/to", "wrong_type")]).await;
    check("from=1800000000000000", &[("/from", "wrong_type")]).await;
    check("from=2&to=2", &[("/to", "out_of_range")]).await;
    check("limit=0", &[("/limit", "out_of_range")]).await;
    check(&format!("after={nobody}"), &[("/after", "unknown_cursor")]).await;
    check("clientpaymentid=7", &[("/clientpaymentid", "unknown_field")]).await;
}
