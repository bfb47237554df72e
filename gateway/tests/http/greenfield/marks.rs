//! What the merchant decides about an invoice: settled, invalid, refunded.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{status, world};
use crate::World;

async fn mark(world: &World, invoice: &Value, as_: &str) -> (StatusCode, Value) {
    let path = format!("/api/v1/stores/{{store}}/invoices/{}/status", invoice["id"].as_str().unwrap());
    world.plugin(Method::POST, &path, Some(&json!({"status": as_}))).await
}

#[tokio::test]
async fn only_what_has_arrived_can_be_settled() {
    let world = world().await;
    let invoice = world.invoice("1").await;
    let payment = world.choose(&invoice).await;
    let refused = async |why: &str| {
        let (status, json) = mark(&world, &invoice, "Settled").await;
        assert_eq!((status, &json[0]["path"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("status")), "{why}");
    };
    refused("nothing has arrived").await;
    world.pay(&payment, "0.001").await;
    refused("nothing is confirmed").await;
    world.mine("BTC").await;
    let (code, settled) = mark(&world, &invoice, "Settled").await;
    assert_eq!((code, status(&settled)), (StatusCode::OK, ("Settled", "Marked")), "{settled}");
    assert_eq!(settled["paidAmount"], "60.00", "no more than that");
    let (code, again) = mark(&world, &invoice, "Settled").await;
    assert_eq!((code, &again), (StatusCode::OK, &settled));
}

#[tokio::test]
async fn an_invoice_that_got_nothing_can_be_ended() {
    let world = world().await;
    let invoice = world.invoice("1").await;
    let (code, ended) = mark(&world, &invoice, "Invalid").await;
    assert_eq!((code, status(&ended)), (StatusCode::OK, ("Expired", "None")));
    assert_ne!(world.invoice("1").await["id"], invoice["id"], "the order gets another one");
    let seen = world.invoice("2").await;
    let payment = world.choose(&seen).await;
    world.pay(&payment, "0.001").await;
    let (code, json) = mark(&world, &seen, "Invalid").await;
    assert_eq!((code, &json[0]["path"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("status")));
    assert_eq!(mark(&world, &seen, "Lost").await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

/// Its window ended with the mark, and what comes afterwards is late, as its delivery says.
#[tokio::test]
async fn an_invoice_that_is_paid_after_it_was_ended_is_paid_late() {
    let world = world().await;
    let invoice = world.invoice("1").await;
    let payment = world.choose(&invoice).await;
    assert_eq!(mark(&world, &invoice, "Invalid").await.0, StatusCode::OK);
    world.pay(&payment, "0.00166667").await;
    world.mine("BTC").await;
    let seen = world.read_invoice(invoice["id"].as_str().unwrap()).await;
    assert_eq!(status(&seen), ("Settled", "PaidLate"));
}

/// Shops name refunds by the reason, which is the same for many invoices.
#[tokio::test]
async fn each_invoice_has_refunds_of_its_own() {
    let world = world().await;
    let other = world.choose(&world.invoice("0").await).await;
    world.pay(&other, "0.00166667").await;
    let body = json!({"refundVariant": "Custom", "customAmount": "30.00", "customCurrency": "EUR", "name": "Returned"});
    let mut refunds = Vec::new();
    for order in ["1", "2"] {
        let invoice = world.invoice(order).await;
        let payment = world.choose(&invoice).await;
        world.pay(&payment, "0.00166667").await;
        world.mine("BTC").await;
        let path = format!("/api/v1/stores/{{store}}/invoices/{}/refund", invoice["id"].as_str().unwrap());
        let refund = world.write(&path, &body).await;
        let on_it = world.get(&format!("/api/v1/refunds?paymentId={payment}"), &world.token).await.json;
        assert_eq!((&on_it[0]["refundId"], on_it.as_array().unwrap().len()), (&refund["id"], 1));
        refunds.push((path, refund));
    }
    let (path, refund) = &refunds[1];
    assert_ne!(refund["id"], refunds[0].1["id"]);
    let cancelled = world.decide_refund(&json!({"refundId": refund["id"]}), "cancel", None).await;
    assert_eq!(cancelled.json["status"], "CANCELLED");
    let (code, json) = world.plugin(Method::POST, path, Some(&body)).await;
    assert_eq!((code, &json[0]["path"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("name")), "{json}");
    let again = world.write(path, &crate::over(body, json!({"name": "Returned again"}))).await;
    assert_ne!(again["id"], refund["id"]);
}

#[tokio::test]
async fn a_refund_is_a_link_of_the_payer() {
    let world = world().await;
    // The merchant pays the fees of refunds, from what other orders brought.
    let other = world.choose(&world.invoice("0").await).await;
    world.pay(&other, "0.00166667").await;
    let invoice = world.invoice("1").await;
    let path = format!("/api/v1/stores/{{store}}/invoices/{}/refund", invoice["id"].as_str().unwrap());
    let payment = world.choose(&invoice).await;
    let ask = async |body: Value| world.plugin(Method::POST, &path, Some(&body)).await;
    let all =
        json!({"refundVariant": "RateThen", "payoutMethodId": "BTC-CHAIN", "name": "Refund of order 1"});
    let (code, json) = ask(all.clone()).await;
    assert_eq!((code, &json["code"]), (StatusCode::CONFLICT, &json!("payment-open")));
    world.pay(&payment, "0.00166667").await;
    world.mine("BTC").await;
    for (body, field) in [
        (json!({"refundVariant": "OverpaidAmount"}), "refundVariant"),
        (json!({}), "refundVariant"),
        (json!({"refundVariant": "RateThen", "subtractPercentage": 2.5}), "subtractPercentage"),
        (json!({"refundVariant": "Custom"}), "customAmount"),
        (json!({"refundVariant": "Custom", "customAmount": "1", "customCurrency": "USD"}), "customCurrency"),
        (json!({"refundVariant": "RateThen", "payoutMethodId": "BTC-LN"}), "payoutMethodId"),
        (json!({"refundVariant": "RateThen", "payoutMethodId": "LTC-CHAIN"}), "currency"),
    ] {
        let (code, json) = ask(body.clone()).await;
        assert_eq!(
            (code, &json[0]["path"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!(field)),
            "{body} {json}"
        );
    }
    let part = json!({
        "refundVariant": "Custom", "customAmount": "30.00", "customCurrency": "EUR", "subtractPercentage": 0,
    });
    let (code, refund) = ask(part.clone()).await;
    assert_eq!(
        (code, &refund["currency"], &refund["amount"]),
        (StatusCode::OK, &json!("BTC"), &json!("0.0005"))
    );
    assert_eq!(refund["viewLink"], invoice["checkoutLink"]);
    let (_, again) = ask(part).await;
    assert_eq!(again["id"], refund["id"], "the same request pays once");
    let refunds = world.get(&format!("/api/v1/refunds?paymentId={payment}"), &world.token).await;
    assert_eq!(refunds.json[0]["waitingFor"], "ADDRESS", "{}", refunds.json);
    let (code, rest) = ask(all).await;
    assert_eq!(code, StatusCode::OK, "{rest}");
    assert_ne!(rest["id"], refund["id"]);
    let (code, json) = ask(json!({"refundVariant": "RateThen", "name": "once more"})).await;
    assert_eq!((code, &json["code"]), (StatusCode::CONFLICT, &json!("nothing-to-refund")));
}

/// The refund button of WooCommerce names the order in a pull payment.
#[tokio::test]
async fn a_pull_payment_refunds_the_one_order_that_it_names() {
    let world = world().await;
    let mut paid = Vec::new();
    for order in ["96", "97", "98"] {
        let invoice = world.invoice(order).await;
        let payment = world.choose(&invoice).await;
        if order != "98" {
            world.pay(&payment, "0.00166667").await;
            world.mine("BTC").await;
            paid.push((payment, invoice["checkoutLink"].clone()));
        }
    }
    let (payment, link) = &paid[1];
    let ask = async |name: &str, amount: &str, currency: &str| {
        let body = json!({
            "name": name, "description": null, "amount": amount, "currency": currency, "period": null,
            "BOLT11Expiration": null, "autoApproveClaims": false, "startsAt": null, "expiresAt": null,
            "payoutMethods": ["BTC_CHAIN"], "paymentMethods": ["BTC_CHAIN"],
        });
        world.plugin(Method::POST, "/api/v1/stores/{store}/pull-payments", Some(&body)).await
    };
    for (name, amount, currency, field) in [
        ("Refund of order 97", "5", "EUR", "name"),
        ("Refund of order 98; nothing was paid", "5", "EUR", "name"),
        ("Refund of order 4097; of nobody", "5", "EUR", "name"),
        ("Refund of order; 97", "5", "EUR", "name"),
        ("Refund of order \u{0}; 97", "5", "EUR", "name"),
        ("Refund of order 97; ", "5", "USD", "customCurrency"),
    ] {
        let (code, json) = ask(name, amount, currency).await;
        assert_eq!(
            (code, &json[0]["path"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!(field)),
            "{name}: {json}"
        );
    }
    let (code, refund) = ask("Refund of order 97; too late, as order 96", "30.00", "EUR").await;
    assert_eq!((code, &refund["amount"], &refund["viewLink"]), (StatusCode::OK, &json!("0.0005"), link));
    let of = async |payment: &str| {
        let list = world.get(&format!("/api/v1/refunds?paymentId={payment}"), &world.token).await.json;
        list.as_array().unwrap().iter().map(|refund| refund["refundId"].clone()).collect::<Vec<_>>()
    };
    assert_eq!((of(payment).await, of(&paid[0].0).await), (vec![refund["id"].clone()], vec![]));

    // Sent again at once, it is the same; later it may be meant as another one.
    let again = ask("Refund of order 97; too late, as order 96", "30.00", "EUR").await;
    assert_eq!(again.1["id"], refund["id"]);
    world.advance(601).await;
    let (code, json) = ask("Refund of order 97; too late, as order 96", "30.00", "EUR").await;
    assert_eq!((code, &json[0]["path"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("name")), "{json}");
    let (code, other) = ask("Refund of order 97; and the lid", "30.00", "EUR").await;
    assert_eq!(code, StatusCode::OK);
    assert_ne!(other["id"], refund["id"]);
    let (code, json) = ask("Refund of order 97; everything", "50.00", "EUR").await;
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "more than was paid: {json}");
    assert_eq!(of(payment).await.len(), 2);

    // The order's number comes again: its first customer is not meant, and once it is paid nobody could say which is.
    let invoice = world.invoice("97").await;
    let payment = world.choose(&invoice).await;
    for stage in ["unpaid", "paid"] {
        let (code, json) = ask("Refund of order 97; of which customer?", "5", "EUR").await;
        assert_eq!((code, &json[0]["path"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("name")), "{stage}");
        world.pay(&payment, "0.00166667").await;
    }
}
