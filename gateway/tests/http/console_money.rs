//! Money in the console: the rules of the API apply, for the sandbox's business.

use axum::http::StatusCode;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use serde_json::{Value, json};

use super::console::{start, started};
use super::{World, over};
use crate::fixture::Place;

const BITCOIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const MISTYPED: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5";

impl World {
    async fn own_token(&self) -> String {
        self.look("/sandbox/credentials").await["businessToken"].as_str().unwrap().to_owned()
    }

    async fn of_payment(&self, id: &str) -> Value {
        self.look(&format!("/sandbox/payments/{id}")).await
    }

    async fn paid(&self, name: &str, amount: &str) -> String {
        let id = self.made(name, "BTC", "BTC").await;
        let detail = self.of_payment(&id).await;
        self.send_to(&detail, &detail["quote"][amount]).await;
        id
    }

    async fn mined(&self, blocks: u64) {
        self.sandbox("blocks", json!({"network": "BTC", "count": blocks})).await;
    }
}

fn withdrawal(fields: Value) -> Value {
    let body = json!({
        "clientWithdrawalId": "w-1", "recipientAddress": BITCOIN, "network": "BTC", "withdrawCurrency": "BTC",
        "displayCurrency": "EUR", "targetAmountPolicy": "FIAT", "targetAmount": "30", "withdrawalAccount": "FIAT",
    });
    over(body, fields)
}

/// The console and the API share their whitelist and idempotency rules.
#[tokio::test]
async fn the_console_uses_the_apis_whitelist() {
    let world = started().await;
    let token = world.own_token().await;
    let entry =
        json!({"clientAddressId": "treasury", "currency": "BTC", "network": "BTC", "address": BITCOIN});
    let added = world.act("/sandbox/whitelist", entry.clone()).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.json);
    assert_eq!(world.get("/whitelist-addresses", &token).await.json, json!([added.json]));
    assert_eq!(world.look("/sandbox/overview").await["whitelist"], json!([added.json]));
    let again = world.post("/whitelist-addresses", &token, &entry).await;
    assert_eq!((again.status, &again.json), (StatusCode::OK, &added.json), "the same request, by the API");
    for fields in [
        json!({"clientAddressId": "other", "address": MISTYPED}),
        json!({"clientAddressId": "other", "network": "MAIN"}),
        json!({"label": "another request under the same id"}),
    ] {
        let body = over(entry.clone(), fields);
        let here = world.act("/sandbox/whitelist", body.clone()).await;
        let there = world.post("/whitelist-addresses", &token, &body).await;
        assert!(here.status.is_client_error(), "{body}");
        assert_eq!((here.status, &here.json["errors"]), (there.status, &there.json["errors"]), "{body}");
    }
}

#[tokio::test]
async fn a_withdrawal_costs_the_previewed_amount() {
    let world = started().await;
    world.paid("order-1", "tryExact").await;
    world.mined(1).await;
    let mut watch = world.watch().await;
    let preview = async |fields| world.act("/sandbox/withdrawals/preview", withdrawal(fields)).await;
    let shown = preview(json!({})).await;
    assert_eq!((shown.status, &shown.json["errors"]), (StatusCode::OK, &json!([])));
    for (fields, pointer, code) in [
        (json!({"targetAmount": "29"}), "/targetAmount", "below_minimum"),
        (json!({"targetAmount": "60"}), "/targetAmount", "insufficient_balance"),
        (json!({"targetAmountPolicy": "CRYPTO", "targetAmount": "51"}), "/targetAmount", "above_maximum"),
        (json!({"recipientAddress": MISTYPED}), "/recipientAddress", "bad_address"),
    ] {
        let refused = preview(fields.clone()).await;
        assert_eq!((refused.status, &refused.json["withdrawal"]), (StatusCode::OK, &Value::Null), "{fields}");
        let error = &refused.json["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{fields}");
        let made = world.act("/sandbox/withdrawals", withdrawal(fields.clone())).await;
        assert_eq!((made.status.as_u16(), &made.json["errors"]), (422, &refused.json["errors"]), "{fields}");
    }
    let now = watch.now().await;
    watch.assert_same(now, "the preview");

    let made = world.act("/sandbox/withdrawals", withdrawal(json!({}))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    for field in ["estimatedWithdrawAmount", "settlementDeductedAmount", "settlementServiceFee"] {
        assert_eq!(made.json[field], shown.json["withdrawal"][field], "{field}");
    }
    let listed = world.look("/sandbox/overview").await["withdrawals"][0].clone();
    assert_eq!(listed["withdrawId"], made.json["withdrawId"]);
    assert_eq!(listed["status"], "COMPLETED", "it is sent before the answer");
    assert_eq!(listed["waits"], json!([{"network": "BTC", "blocks": 1, "until": "FINAL"}]));
    world.mined(1).await;
    assert_eq!(world.look("/sandbox/overview").await["withdrawals"][0]["waits"], json!([]));
    let replayed = world.post("/api/v1/withdrawals", &world.own_token().await, &withdrawal(json!({}))).await;
    assert_eq!(replayed.status, StatusCode::OK, "the same request, by the API");
    assert_eq!(preview(json!({})).await.json["withdrawal"]["withdrawId"], made.json["withdrawId"]);
}

/// The console offers to mine exactly the blocks that are missing.
#[tokio::test]
async fn a_refund_shows_the_missing_blocks() {
    let world = World::in_world(Place::chosen(), Finality::default(), Settings::default()).await;
    let world = start(world).await;
    let terms = json!({"overpaymentPolicy": "EXCESS_REFUND"});
    assert_eq!(world.act("/sandbox/business", terms).await.json["overpaymentPolicy"], "EXCESS_REFUND");
    let id = world.paid("order-1", "tryMore").await;
    let waits = async || world.of_payment(&id).await["deposits"][0]["waits"].clone();
    let sent = async || world.of_payment(&id).await["deposits"][0]["refund"]["transactionId"].is_string();
    assert_eq!(waits().await, json!([]), "nothing is confirmed");
    world.mined(1).await;
    assert_eq!(world.of_payment(&id).await["deposits"][0]["finality"], 6);
    assert_eq!(waits().await, json!([{"network": "BTC", "blocks": 5, "until": "SENT"}]));
    world.mined(4).await;
    assert_eq!(waits().await, json!([{"network": "BTC", "blocks": 1, "until": "SENT"}]));
    assert!(!sent().await);
    world.mined(1).await;
    assert!(sent().await);
    assert_eq!(waits().await, json!([{"network": "BTC", "blocks": 6, "until": "FINAL"}]));
    world.mined(2).await;
    assert_eq!(waits().await, json!([{"network": "BTC", "blocks": 4, "until": "FINAL"}]));
    world.mined(4).await;
    assert_eq!(waits().await, json!([]));
}

#[tokio::test]
async fn flagged_deposits_are_decided_by_a_click() {
    let world = started().await;
    world.sandbox("flags", json!({"network": "BTC", "address": BITCOIN})).await;
    let mut ids = Vec::new();
    for order in ["order-1", "order-2"] {
        ids.push(world.paid(order, "tryExact").await);
        world.advance(1).await; // Ids of the same millisecond have no order.
    }
    world.mined(1).await;
    let overview = world.look("/sandbox/overview").await;
    assert_eq!(
        overview["flaggedAddresses"],
        json!([{"network": "BTC", "address": BITCOIN, "flagged": true}])
    );
    let of = |overview: &Value| {
        let rows = overview["flagged"].as_array().unwrap().clone();
        rows.iter().map(|row| row["screening"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of(&overview), ["FLAGGED", "FLAGGED"]);
    let newest = &overview["flagged"][0];
    assert_eq!((&newest["paymentId"], &newest["fromAddress"]), (&json!(ids[1]), &json!(BITCOIN)));
    assert_eq!(newest["owner"], json!(["Flagged by hand", "SANDBOX"]));
    let deposit = async |id: &str| world.of_payment(id).await["deposits"][0].clone();
    let decide = async |id: &str, word: &str| {
        let deposit = deposit(id).await["depositId"].as_str().unwrap().to_owned();
        world.act(&format!("/sandbox/deposits/{deposit}/{word}"), json!({})).await
    };
    assert_eq!(world.of_payment(&ids[0]).await["callbacks"], json!([]), "no callback");
    assert_eq!(decide(&ids[0], "release").await.status, StatusCode::OK);
    let released = world.of_payment(&ids[0]).await;
    assert_eq!(
        (&released["payment"]["status"], &released["deposits"][0]["screening"]),
        (&json!("DEPOSITED"), &json!("RELEASED"))
    );
    assert_eq!(released["callbacks"].as_array().unwrap().len(), 1);
    let whats = |detail: &Value| {
        let events = detail["events"].as_array().unwrap().clone();
        events.iter().map(|event| event["what"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let expected = ["CREATED", "ADDRESS_GIVEN", "QUOTED", "FLAGGED", "SEEN"];
    assert_eq!(whats(&released)[..5], expected);
    let ending: Vec<_> = whats(&released).into_iter().skip_while(|what| what != "RELEASED").collect();
    assert_eq!(ending, ["RELEASED", "PAID", "CALLBACK"]);
    let late = decide(&ids[0], "refuse").await;
    assert_eq!((late.status, &late.json["code"]), (StatusCode::CONFLICT, &json!("decided")));
    assert_eq!(late.json["detail"], "It was released and its callback was sent; this cannot be undone.");
    assert_eq!(decide(&ids[1], "refuse").await.status, StatusCode::OK);
    assert_eq!(world.of_payment(&ids[1]).await["payment"]["status"], "PENDING");
    assert_eq!(of(&world.look("/sandbox/overview").await), ["REFUSED", "RELEASED"]);
    let lost = world.paid("order-3", "tryExact").await;
    let vanished = async || world.look("/sandbox/overview").await["flagged"][0]["vanished"].clone();
    assert_eq!(vanished().await, false);
    let transaction = deposit(&lost).await["transactionId"].clone();
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert_eq!(vanished().await, true, "nothing is left to decide");
    world.sandbox("flags", json!({"network": "BTC", "address": BITCOIN, "flagged": false})).await;
    assert_eq!(world.look("/sandbox/overview").await["flaggedAddresses"], json!([]));
}

/// Changed terms do not affect an existing payment.
#[tokio::test]
async fn terms_apply_to_later_payments() {
    let world = started().await;
    let before = world.made("order-1", "BTC", "BTC").await;
    let terms = json!({
        "overpaymentPolicy": "EXCESS_REFUND", "refundFollowUpDepositsForOneTimePayments": true,
        "settlementCryptoCurrency": "LTC", "settlementCryptoRatio": "0.25",
    });
    let answer = world.act("/sandbox/business", terms.clone()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    let business = world.look("/sandbox/overview").await["business"].clone();
    assert_eq!(business, answer.json);
    for (name, value) in terms.as_object().unwrap() {
        assert_eq!(business[name], *value, "{name}");
    }
    let after = world.made("order-2", "BTC", "BTC").await;
    for (id, policy) in [(before, "PROCESS"), (after, "EXCESS_REFUND")] {
        assert_eq!(world.of_payment(&id).await["payment"]["overpaymentPolicy"], policy);
    }
    let kept = world.act("/sandbox/business", json!({})).await.json;
    assert_eq!(kept, business, "omitted settings stay");
    let world = start(world.restart().await).await;
    assert_eq!(world.look("/sandbox/overview").await["business"]["settlementCryptoRatio"], "0.25");
}

#[tokio::test]
async fn a_misspelled_term_of_the_business_is_an_error() {
    let world = started().await;
    let refused =
        world.act("/sandbox/business", json!({"overpaymentpolicy": "PROCESS", "theme": "DARK"})).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.errors(), [("/overpaymentpolicy".to_owned(), "unknown_field".to_owned())]);
    let wanted = json!({
        "name": "Kettle", "allowedOrigins": ["http://localhost:3000"], "theme": "DARK",
        "depositReceivedCallbackUrl": "http://localhost:3000/hook", "supportedDepositCurrencies": ["BTC", "XLM"],
    });
    let changed = world.act("/sandbox/business", wanted).await;
    assert_eq!(
        (changed.status, &changed.json["name"]),
        (StatusCode::OK, &json!("Kettle")),
        "{}",
        changed.json
    );
    assert_eq!(changed.json["supportedDepositCurrencies"], json!(["BTC", "XLM"]));
    assert_eq!(changed.json["theme"], "DARK");
    let wrong = json!({"allowedOrigins": ["*"], "supportedDepositCurrencies": "BTC", "name": "\u{200b}"});
    let refused = world.act("/sandbox/business", wrong).await;
    let expected =
        [("/allowedOrigins", "bad_url"), ("/name", "empty"), ("/supportedDepositCurrencies", "wrong_type")];
    assert_eq!(refused.errors(), expected.map(|(pointer, code)| (pointer.to_owned(), code.to_owned())));
}
