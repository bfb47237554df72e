//! Invoices are payments.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{status, world};

const INVOICES: &str = "/api/v1/stores/{store}/invoices";

#[tokio::test]
async fn an_invoice_has_what_was_sent() {
    let world = world().await;
    let body = json!({
        "amount": "19.90",
        "currency": "EUR",
        "metadata": {"orderId": "1042", "taxIncluded": 3.18, "posData": "{\"tip\":1}"},
        "checkout": {
            "speedPolicy": "MediumSpeed",
            "redirectURL": "https://shop.example/return/{InvoiceId}/?key=1",
            "redirectAutomatically": true,
            "defaultLanguage": "de_AT",
            "expirationMinutes": 15,
        },
        "receipt": {"enabled": true},
    });
    let invoice = world.write(INVOICES, &body).await;
    let id = invoice["id"].as_str().unwrap();
    for (name, expected) in [
        ("amount", json!("19.90")),
        ("currency", json!("EUR")),
        ("paidAmount", json!("0.00")),
        ("storeId", json!(world.business.id.to_string())),
        ("metadata", body["metadata"].clone()),
        ("type", json!("Standard")),
    ] {
        assert_eq!(invoice[name], expected, "{name}");
    }
    assert_eq!(status(&invoice), ("New", "None"));
    assert_eq!(invoice["checkout"]["speedPolicy"], "MediumSpeed");
    assert_eq!(invoice["checkout"]["redirectURL"], format!("https://shop.example/return/{id}/?key=1"));
    let created = invoice["createdTime"].as_u64().unwrap();
    assert_eq!(invoice["expirationTime"], created + 15 * 60);
    assert_eq!(world.read_invoice(id).await, invoice);
    assert_eq!(world.read_invoice(&id[..36]).await, invoice, "by the id of the payment");
    let payment = world.payment(&id[..36]).await;
    assert_eq!((&payment["clientPaymentId"], &payment["locale"]), (&json!("1042"), &json!("de-DE")));
}

#[tokio::test]
async fn the_api_of_payments_leaves_a_return_address_as_it_is() {
    let world = world().await;
    let back = "https://shop.example/{InvoiceId}";
    let body = json!({
        "clientPaymentId": "1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "20", "redirectUrl": back,
    });
    let request = Request::post("/api/v1/payments")
        .header("authorization", format!("Bearer {}", world.token))
        .header("content-type", "application/json");
    let response =
        world.router.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let created: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(created["paymentInfo"]["redirectUrl"], back);
}

/// Every digit of a number comes back, because none of them passes through a float.
#[tokio::test]
async fn amounts_are_decimal_text() {
    let world = world().await;
    for (amount, currency, expected) in [
        ("20", "EUR", "20.00"),
        ("\"20.5\"", "EUR", "20.50"),
        ("20.50", "EUR", "20.50"),
        ("0.12345678", "BTC", "0.12345678"),
        ("\"0.10000000\"", "BTC", "0.1"),
    ] {
        let body: Value =
            serde_json::from_str(&format!(r#"{{"amount":"x","currency":"{currency}"}}"#)).unwrap();
        let text = body.to_string().replace("\"x\"", amount);
        let invoice = send(&world, &text).await;
        assert_eq!(invoice["amount"], expected, "{amount} {currency}: {invoice}");
    }
    let invoice = send(&world, r#"{"amount":"20","metadata":{"taxIncluded":1.10}}"#).await;
    assert_eq!((&invoice["currency"], &invoice["amount"]), (&json!("EUR"), &json!("20.00")));
}

async fn send(world: &crate::World, text: &str) -> Value {
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("/api/v1/stores/{}/invoices", world.business.id))
        .header("authorization", format!("token {}", world.token))
        .header("content-type", "application/json");
    let request = request.body(Body::from(text.to_owned())).unwrap();
    let response = world.router.clone().oneshot(request).await.unwrap();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(!text.contains("taxIncluded") || text.contains(r#""taxIncluded":1.10"#), "{text}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn what_no_payment_can_be_is_refused_by_the_field() {
    let world = world().await;
    let sound = json!({"amount": "20", "currency": "EUR"});
    let long = format!("https://shop.example/{}", "{InvoiceId}".repeat(40));
    for (change, expected) in [
        (json!({"amount": null}), "amount"),
        (json!({"amount": "0"}), "amount"),
        (json!({"amount": "1.001"}), "amount"),
        (json!({"amount": "1e2"}), "amount"),
        (json!({"amount": "-1"}), "amount"),
        (json!({"currency": "XXX"}), "currency"),
        (json!({"currency": "SATS"}), "currency"),
        (json!({"checkout": {"paymentMethods": ["BTC-LN"]}}), "checkout.paymentMethods"),
        (json!({"checkout": {"paymentMethods": ["BTC-CHAIN", "LTC-CHAIN"]}}), "checkout.paymentMethods"),
        (json!({"currency": "BTC", "checkout": {"paymentMethods": ["LTC-CHAIN"]}}), "currency"),
        (json!({"checkout": {"redirectURL": "javascript:alert(1)"}}), "checkout.redirectURL"),
        (json!({"checkout": {"expirationMinutes": -1}}), "checkout.expirationMinutes"),
        (json!({"metadata": {"posData": "x".repeat(10_000)}}), "metadata"),
        (json!({"metadata": {"orderId": "x".repeat(253)}}), "metadata.orderId"),
        (json!({"metadata": {"orderId": "a\nb"}}), "metadata.orderId"),
        (json!({"checkout": {"redirectURL": long}}), "checkout.redirectURL"),
    ] {
        let body = crate::over(sound.clone(), change);
        let (status, json) = world.plugin(Method::POST, INVOICES, Some(&body)).await;
        assert_eq!(
            (status, &json[0]["path"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!(expected)),
            "{json}"
        );
    }
    assert_eq!(world.read(INVOICES).await, json!([]), "nothing was created");
}

/// A plugin asks for another invoice of an order when the last one is over, with the same words as for the first.
#[tokio::test]
async fn an_order_has_one_open_invoice_for_the_same_request() {
    let world = world().await;
    let first = world.invoice("7").await;
    assert_eq!(world.invoice("7").await["id"], first["id"], "a request that was sent twice");
    let other = json!({"amount": "101.00", "currency": "EUR", "metadata": {"orderId": "7"}});
    let second = world.write(INVOICES, &other).await;
    assert_ne!(second["id"], first["id"], "another amount");
    assert_ne!(world.invoice("8").await["id"], first["id"]);
    world.advance(31 * 60).await;
    let third = world.invoice("7").await;
    assert!(third["id"] != first["id"] && third["id"] != second["id"], "the first one is over");
    assert_eq!(world.invoice("7").await["id"], third["id"]);
    let names: Vec<_> = world
        .read(&format!("{INVOICES}?orderId=7"))
        .await
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].clone())
        .collect();
    assert_eq!(names, [third["id"].clone(), second["id"].clone(), first["id"].clone()]);
    let body = json!({"amount": "5", "currency": "EUR"});
    let [one, two] = [world.write(INVOICES, &body).await, world.write(INVOICES, &body).await];
    assert_ne!(one["id"], two["id"], "without an order each request is an invoice");
}

#[tokio::test]
async fn lists_are_filtered() {
    let world = world().await;
    for order in ["1", "2", "3"] {
        world.invoice(order).await;
    }
    world.advance(31 * 60).await;
    world.invoice("4").await;
    for (query, expected) in [
        ("", &["4", "3", "2", "1"][..]),
        ("?take=2", &["4", "3"]),
        ("?skip=1&take=2", &["3", "2"]),
        ("?orderId=1&orderId=3", &["3", "1"]),
        ("?status=New", &["4"]),
        ("?status=Expired&take=2", &["3", "2"]),
        ("?status=Settled", &[]),
        ("?textSearch=2", &["2"]),
        (&format!("?startDate={}", crate::START + 31 * 60), &["4"]),
        (&format!("?endDate={}", crate::START), &["3", "2", "1"]),
    ] {
        let found = world.read(&format!("{INVOICES}{query}")).await;
        let orders: Vec<_> = found
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["metadata"]["orderId"].as_str().unwrap())
            .collect();
        assert_eq!(orders, expected, "{query}");
    }
}

#[tokio::test]
async fn a_list_reads_on_until_it_has_what_was_asked_for() {
    let world = world().await;
    for order in 0..505 {
        world.invoice(&order.to_string()).await;
    }
    let orders = async |query: &str| -> Vec<String> {
        let found = world.read(&format!("{INVOICES}{query}")).await;
        let order = |one: &Value| one["metadata"]["orderId"].as_str().unwrap().to_owned();
        found.as_array().unwrap().iter().map(order).collect()
    };
    assert_eq!(orders("?skip=502&take=10").await, ["2", "1", "0"]);
    assert_eq!(orders("?status=New&skip=503&take=1").await, ["1"]);
    assert_eq!(orders("?status=New&take=1000").await.len(), 505);
    assert_eq!(orders("?orderId=7&orderId=7&orderId=7").await, ["7"], "an order that was named thrice");
    assert_eq!(orders("?take=0").await, [""; 0]);
    let many = (0..21).map(|order| format!("orderId={order}")).collect::<Vec<_>>().join("&");
    for query in [&many, "orderId=%00", "textSearch=a%E2%80%AEb"] {
        let (status, json) = world.plugin(Method::GET, &format!("{INVOICES}?{query}"), None).await;
        assert_eq!(
            (status, &json[0]["path"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!("orderId")),
            "{query}"
        );
    }
}

#[tokio::test]
async fn the_status_follows_the_payment() {
    let world = world().await;
    let invoice = world.invoice("1").await;
    let id = invoice["id"].as_str().unwrap();
    let payment = world.choose(&invoice).await;
    assert_eq!(status(&world.read_invoice(id).await), ("New", "None"));
    world.pay(&payment, "0.00100000").await;
    assert_eq!(status(&world.read_invoice(id).await), ("New", "PaidPartial"));
    world.pay(&payment, "0.00066667").await;
    assert_eq!(status(&world.read_invoice(id).await), ("Processing", "None"));
    let methods = world.read(&format!("{INVOICES}/{id}/payment-methods")).await;
    for (name, expected) in [
        ("paymentMethodId", "BTC-CHAIN"),
        ("amount", "0.00166667"),
        ("paymentMethodPaid", "0.00166667"),
        ("due", "0"),
        ("rate", "60000"),
    ] {
        assert_eq!(methods[0][name], expected, "{name}: {methods}");
    }
    assert_eq!(methods[0]["payments"][1]["status"], "Processing");
    world.mine("BTC").await;
    let paid = world.read_invoice(id).await;
    assert_eq!((status(&paid), &paid["paidAmount"]), (("Settled", "None"), &json!("100.00")));
    let over = world.invoice("2").await;
    let payment = world.choose(&over).await;
    world.pay(&payment, "0.002").await;
    world.mine("BTC").await;
    assert_eq!(status(&world.read_invoice(over["id"].as_str().unwrap()).await), ("Settled", "PaidOver"));
}

/// What arrived in the window is not late because its block comes afterwards.
#[tokio::test]
async fn only_money_that_comes_late_is_paid_late() {
    for (in_time, late, expected) in [
        ("", "0.00166667", "PaidLate"),
        ("0.00100000", "0.00066667", "PaidLate"),
        ("0.00166667", "", "None"),
        ("0.00166667", "0.00100000", "PaidOver"),
    ] {
        let world = world().await;
        let invoice = world.invoice("1").await;
        let payment = world.choose(&invoice).await;
        let pays = async |amount: &str| {
            if !amount.is_empty() {
                world.pay(&payment, amount).await;
            }
        };
        pays(in_time).await;
        world.advance(31 * 60).await;
        pays(late).await;
        world.mine("BTC").await;
        let seen = world.read_invoice(invoice["id"].as_str().unwrap()).await;
        assert_eq!(status(&seen), ("Settled", expected), "{in_time:?}, then {late:?}");
    }
}

#[tokio::test]
async fn what_was_paid_is_in_the_currency_of_the_price() {
    let world = world().await;
    let body = json!({"amount": "0.001", "currency": "BTC", "metadata": {"orderId": "1"}});
    let invoice = world.write(INVOICES, &body).await;
    assert_eq!((&invoice["currency"], &invoice["paidAmount"]), (&json!("BTC"), &json!("0")));
    let payment = world.choose(&invoice).await;
    world.pay(&payment, "0.0001").await;
    world.mine("BTC").await;
    let seen = world.read_invoice(invoice["id"].as_str().unwrap()).await;
    assert_eq!((&seen["paidAmount"], status(&seen)), (&json!("0.0001"), ("New", "PaidPartial")));
}

/// The link that plugins make from the id opens the payer's page, and the id of a payment alone opens nothing.
#[tokio::test]
async fn the_link_of_an_invoice() {
    let world = world().await;
    let invoice = world.invoice("1").await;
    let id = invoice["id"].as_str().unwrap();
    let open = async |id: &str| {
        let request = Request::get(format!("/i/{id}")).body(Body::empty()).unwrap();
        world.router.clone().oneshot(request).await.unwrap()
    };
    let opened = open(id).await;
    assert_eq!(opened.status(), StatusCode::SEE_OTHER);
    assert_eq!(opened.headers()["location"], invoice["checkoutLink"].as_str().unwrap());
    let last = if id.ends_with('0') { '1' } else { '0' };
    let guessed = format!("{}{last}", &id[..id.len() - 1]);
    for wrong in [&id[..36], &id[..id.len() - 1], &guessed, &format!("{id}0"), "x", "é"] {
        assert_eq!(open(wrong).await.status(), StatusCode::NOT_FOUND, "{wrong}");
    }
    let (status, _) = world.plugin(Method::GET, &format!("{INVOICES}/{guessed}"), None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}
