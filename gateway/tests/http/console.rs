//! The answers of the console's routes.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use checkout_core::chain::CHAINS;
use checkout_gateway::service::deliver_callbacks::CallbackDispatcher;
use checkout_simulator::world::{Run, own_business};
use serde_json::{Value, json};

use super::{Answer, START, World};

/// A running sandbox like that of `checkout serve --sandbox`, with its own business.
pub(super) async fn started() -> World {
    start(World::new().await).await
}

pub(super) async fn start(world: World) -> World {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let inbox = format!("http://{}/sandbox/inbox", listener.local_addr().unwrap());
    tokio::spawn(checkout_gateway::http::server::serve(
        listener,
        world.router.clone(),
        checkout_gateway::http::server::Caps::default(),
        std::future::pending(),
    ));
    let run = Run { origins: Vec::new(), deposit_callback: inbox.clone(), withdrawal_callback: inbox };
    own_business(
        &checkout_simulator::World {
            app: std::sync::Arc::clone(&world.app),
            sandbox: world.simulated.clone(),
        },
        run,
    )
    .await
    .unwrap();
    world
}

impl World {
    pub(super) async fn look(&self, path: &str) -> Value {
        let answer = self.call(Method::GET, path, None, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.json);
        answer.json
    }

    pub(super) async fn act(&self, path: &str, body: Value) -> Answer {
        self.call(Method::POST, path, None, Some(&body)).await
    }

    /// Creates a payment of the sandbox's business and chooses a pair. Returns its id.
    pub(super) async fn made(&self, name: &str, currency: &str, network: &str) -> String {
        let body = json!({"clientPaymentId": name, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "60"});
        let created = self.act("/sandbox/payments", body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.json);
        let id = created.payment_id();
        let choice = json!({"depositCurrency": currency, "network": network});
        let chosen = self.act(&format!("/sandbox/payments/{id}/choice"), choice).await;
        assert_eq!((chosen.status, &chosen.json["status"]), (StatusCode::OK, &json!("PENDING")));
        id
    }

    pub(super) async fn send_to(&self, detail: &Value, amount: &Value) -> String {
        let address =
            detail["addresses"].as_array().unwrap().iter().find(|given| given["current"] == true).unwrap();
        let mut body = json!({
            "network": address["network"], "currency": detail["quote"]["currency"],
            "address": address["address"], "amount": amount,
        });
        if !address["destinationTag"].is_null() {
            body["destinationTag"] = address["destinationTag"].clone();
        }
        self.sandbox("transfers", body).await["transactionId"].as_str().unwrap().to_owned()
    }

    pub(super) async fn deliver(&self) {
        let mut dispatcher = CallbackDispatcher::new(self.app.clone());
        dispatcher.begin_due().await.unwrap();
        dispatcher.finish().await;
    }
}

fn whats(detail: &Value) -> Vec<&str> {
    detail["events"].as_array().unwrap().iter().map(|event| event["what"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_payment_in_two_parts() {
    let world = started().await;
    let id = world.made("order-1", "XRP", "XRP").await;
    let path = format!("/sandbox/payments/{id}");
    let detail = world.look(&path).await;
    assert_eq!(detail["payment"]["status"], "PENDING");
    assert_eq!(detail["businessName"], "Sandbox Shop");
    assert_eq!(detail["windowEnd"], START + 1_800);
    let quote = &detail["quote"];
    for (name, value) in [
        ("expected", "120"),
        ("remaining", "120"),
        ("confirmed", "0"),
        ("tryExact", "120"),
        ("tryHalf", "60"),
        ("tryMore", "144"),
        ("rate", "0.5"),
    ] {
        assert_eq!(quote[name], value, "{name}");
    }
    assert!(
        detail["paymentUrl"]
            .as_str()
            .unwrap()
            .starts_with(&format!("http://pay.test/checkout/{id}?sessionToken="))
    );
    assert!(!detail["addresses"][0]["destinationTag"].as_str().unwrap().is_empty());

    let first = world.send_to(&detail, &quote["tryHalf"]).await;
    world.mine("XRP").await;
    world.mine("XRP").await;
    let half = world.look(&path).await;
    assert_eq!(half["payment"]["status"], "AWAITING");
    assert_eq!((&half["quote"]["remaining"], &half["quote"]["tryExact"]), (&json!("60"), &json!("60")));
    let deposit = &half["deposits"][0];
    assert_eq!((&deposit["state"], &deposit["confirmations"]), (&json!("CONFIRMED"), &json!(2)));
    assert_eq!(deposit["transactionId"], first);
    assert_eq!(half["ledger"][0]["lines"].as_array().unwrap().len(), 5);

    world.send_to(&half, &half["quote"]["tryExact"]).await;
    world.mine("XRP").await;
    world.deliver().await;
    let done = world.look(&path).await;
    assert_eq!((&done["payment"]["status"], &done["quote"]["remaining"]), (&json!("DEPOSITED"), &json!("0")));
    let callbacks = done["callbacks"].as_array().unwrap();
    assert_eq!(callbacks.len(), 2);
    for callback in callbacks {
        assert_eq!(
            (&callback["state"], &callback["attempts"][0]["status"]),
            (&json!("DELIVERED"), &json!(204))
        );
    }
    assert_eq!(
        whats(&done),
        [
            "CREATED",
            "ADDRESS_GIVEN",
            "QUOTED",
            "SEEN",
            "SEEN",
            "MINED",
            "MINED",
            "MINED",
            "PAID",
            "CALLBACK",
            "CALLBACK",
            "CALLBACK_TRIED",
            "CALLBACK_TRIED"
        ]
    );
}

#[tokio::test]
async fn manual_actions_are_in_the_timeline() {
    let world = started().await;
    let id = world.made("order-1", "BTC", "BTC").await;
    let path = format!("/sandbox/payments/{id}");
    let transaction = world.send_to(&world.look(&path).await, &json!("0.0005")).await;
    world.advance(5).await;
    world.mine("BTC").await;
    world.mine("ETH").await;
    world.advance(5).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "61000"})).await;
    world.sandbox("rates", json!({"from": "ETH", "to": "EUR", "rate": "3100"})).await;
    world.advance(5).await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    world.advance(1_800).await;
    let detail = world.look(&path).await;
    assert_eq!(detail["payment"]["status"], "EXPIRED");
    assert_eq!(
        (&detail["deposits"][0]["state"], &detail["deposits"][0]["confirmations"]),
        (&json!("VANISHED"), &json!(0))
    );
    assert_eq!(
        whats(&detail),
        [
            "CREATED",
            "ADDRESS_GIVEN",
            "QUOTED",
            "SEEN",
            "CALLBACK",
            "CLOCK_MOVED",
            "MINED",
            "CLOCK_MOVED",
            "RATE_SET",
            "REORGANISED",
            "CLOCK_MOVED",
            "DROPPED",
            "WINDOW_ENDED",
            "CLOCK_MOVED"
        ]
    );
    let earlier =
        world.act(&format!("{path}/choice"), json!({"depositCurrency": "ETH", "network": "ETH"})).await;
    assert_eq!(earlier.status, StatusCode::OK, "{}", earlier.json);
    let detail = world.look(&path).await;
    let current: Vec<_> = detail["addresses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|given| (&given["network"], &given["current"]))
        .collect();
    assert_eq!(current, [(&json!("BTC"), &json!(false)), (&json!("ETH"), &json!(true))]);
}

#[tokio::test]
async fn payments_are_listed_by_status_search_and_cursor() {
    let world = started().await;
    let mut ids = Vec::new();
    for (order, pair) in
        [("order-1", ("BTC", "BTC")), ("ORDER-2", ("ETH", "ETH")), ("50%_off", ("XRP", "XRP"))]
    {
        ids.push(world.made(order, pair.0, pair.1).await);
        world.advance(1).await;
    }
    let detail = world.look(&format!("/sandbox/payments/{}", ids[1])).await;
    let transaction = world.send_to(&detail, &json!("0.01")).await;
    let address = detail["addresses"][0]["address"].as_str().unwrap();
    let check = async |query: &str, expected: &[usize]| {
        let list = world.look(&format!("/sandbox/payments?{query}")).await;
        let found: Vec<_> =
            list.as_array().unwrap().iter().map(|row| row["paymentId"].as_str().unwrap()).collect();
        assert_eq!(found, expected.iter().map(|at| ids[*at].as_str()).collect::<Vec<_>>(), "{query}");
    };
    check("", &[2, 1, 0]).await;
    check("limit=2", &[2, 1]).await;
    check(&format!("limit=2&before={}", ids[1]), &[0]).await;
    check("status=PENDING", &[2, 0]).await;
    check("status=AWAITING", &[1]).await;
    check("status=DEPOSITED", &[]).await;
    check("search=order", &[1, 0]).await;
    check("search=%20Order-2%20", &[1]).await;
    check("search=%25_", &[2]).await;
    check("search=!", &[]).await;
    check(&format!("search={}", ids[0]), &[0]).await;
    check(&format!("search={}", address.to_ascii_uppercase()), &[1]).await;
    check(&format!("search={}", &transaction[..20]), &[1]).await;
    let row = &world.look("/sandbox/payments?limit=1").await[0];
    assert_eq!(
        (&row["depositCurrency"], &row["depositAmount"], &row["displayAmount"]),
        (&json!("XRP"), &json!("120"), &json!("60.00"))
    );
}

#[tokio::test]
async fn the_overview_shows_the_whole_sandbox() {
    let world = started().await;
    let id = world.made("order-1", "BTC", "BTC").await;
    world.send_to(&world.look(&format!("/sandbox/payments/{id}")).await, &json!("0.001")).await;
    world.advance(60).await;
    let overview = world.look("/sandbox/overview").await;
    let bitcoin =
        overview["chains"].as_array().unwrap().iter().find(|chain| chain["network"] == "BTC").unwrap();
    let expected = json!({
        "network": "BTC", "name": "Bitcoin", "height": 0, "pending": 1, "finality": 1,
        "usualSender": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    });
    assert_eq!(*bitcoin, expected);
    assert_eq!(
        overview["chains"].as_array().unwrap().len(),
        CHAINS.iter().filter(|row| !row.network.is_opt_in()).count()
    );
    assert_eq!(
        (&overview["clockAheadSeconds"], &overview["business"]["name"]),
        (&json!(60), &json!("Sandbox Shop"))
    );
    world.mine("BTC").await;
    let overview = world.look("/sandbox/overview").await;
    let fiat =
        overview["balances"].as_array().unwrap().iter().find(|held| held["account"] == "FIAT").unwrap();
    assert_eq!(*fiat, json!({"account": "FIAT", "asset": "EUR", "amount": "59.70"}));

    let credentials = world.look("/sandbox/credentials").await;
    let token = credentials["businessToken"].as_str().unwrap();
    let own = world.get(&format!("/api/v1/payments/{id}"), token).await;
    assert_eq!(own.status, StatusCode::OK, "the token works");
    let entry = json!({
        "clientAddressId": "a", "currency": "BTC", "network": "BTC", "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    });
    world.post("/whitelist-addresses", token, &entry).await;
    let withdrawal = json!({
        "clientWithdrawalId": "w", "recipientAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "network": "BTC",
        "withdrawCurrency": "BTC", "displayCurrency": "EUR", "targetAmountPolicy": "FIAT", "targetAmount": "40",
        "withdrawalAccount": "FIAT",
    });
    let made = world.post("/api/v1/withdrawals", token, &withdrawal).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    let overview = world.look("/sandbox/overview").await;
    assert_eq!(overview["whitelist"][0]["clientAddressId"], "a");
    assert_eq!(overview["withdrawals"][0]["withdrawId"], made.json["withdrawId"]);
}

#[tokio::test]
async fn polling_by_entity_tag() {
    let world = started().await;
    let id = world.made("order-1", "BTC", "BTC").await;
    for path in [
        "/sandbox/overview",
        "/sandbox/payments",
        "/sandbox/callbacks",
        "/sandbox/inbox",
        &format!("/sandbox/payments/{id}"),
    ] {
        let first = world.call(Method::GET, path, None, None).await;
        let tag = first.header("etag").unwrap().to_owned();
        let request = Request::get(path).header(header::IF_NONE_MATCH, &tag).body(Body::empty()).unwrap();
        let again = world.send(request).await;
        assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
    }
}

#[tokio::test]
async fn the_page() {
    let world = World::new().await;
    let link =
        Request::get("/sandbox").header("sec-fetch-site", "cross-site").header("sec-fetch-mode", "navigate");
    let page = world.send(link.body(Body::empty()).unwrap()).await;
    assert_eq!(page.status, StatusCode::OK);
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
}
