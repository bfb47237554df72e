//! The webhooks of a store: kept, delivered, signed.

use axum::http::{Method, StatusCode};
use checkout_domain::callback::{State, signature};
use checkout_storage::query;
use checkout_test_nodes::{Answer, Inbox};
use serde_json::{Value, json};

use super::world;
use crate::World;
use crate::callbacks::deliver;

const WEBHOOKS: &str = "/api/v1/stores/{store}/webhooks";

async fn webhook(world: &World, inbox: &Inbox, fields: Value) -> Value {
    world.write(WEBHOOKS, &crate::over(json!({"url": inbox.url}), fields)).await
}

fn told(inbox: &Inbox) -> Vec<String> {
    inbox.received().iter().map(|one| one.json()["type"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_webhook_is_kept_changed_and_deleted() {
    let (world, inbox) = (world().await, Inbox::open());
    let events = json!({"everything": false, "specificEvents": ["InvoiceSettled"]});
    let created = webhook(&world, &inbox, json!({"secret": "their own", "authorizedEvents": events})).await;
    assert_eq!(created["secret"], "their own");
    let id = created["id"].as_str().unwrap();
    let one = format!("{WEBHOOKS}/{id}");
    let mut shown = created.clone();
    shown.as_object_mut().unwrap().remove("secret");
    assert_eq!(world.read(&one).await, shown, "the secret is in no other answer");
    let second = webhook(&world, &inbox, json!({})).await;
    assert!(second["secret"].as_str().unwrap().len() >= 32);
    assert_eq!(world.read(WEBHOOKS).await.as_array().unwrap().len(), 2);
    let change = json!({"url": inbox.url, "enabled": false, "authorizedEvents": {"everything": true}});
    let (status, changed) = world.plugin(Method::PUT, &one, Some(&change)).await;
    assert_eq!((status, &changed["enabled"]), (StatusCode::OK, &json!(false)));
    assert_eq!(changed["authorizedEvents"]["everything"], true);
    assert_eq!(world.plugin(Method::DELETE, &one, None).await.0, StatusCode::OK);
    for method in [Method::GET, Method::DELETE] {
        assert_eq!(world.plugin(method, &one, None).await.0, StatusCode::NOT_FOUND);
    }
    let long = json!({"url": inbox.url, "secret": "x".repeat(257)});
    let (status, json) = world.plugin(Method::POST, WEBHOOKS, Some(&long)).await;
    assert_eq!((status, &json[0]["path"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("secret")));
    let events =
        json!({"specificEvents": ["InvoiceSettled", "InvoiceCreated", "InvoiceSettled", "x".repeat(9_000)]});
    let kept = webhook(&world, &inbox, json!({"authorizedEvents": events})).await;
    assert_eq!(kept["authorizedEvents"], json!({"everything": false, "specificEvents": ["InvoiceSettled"]}));
    for url in ["", "shop.example", "ftp://shop.example/"] {
        let (status, json) = world.plugin(Method::POST, WEBHOOKS, Some(&json!({"url": url}))).await;
        assert_eq!((status, &json[0]["path"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("url")), "{url}");
    }
}

#[tokio::test]
async fn deliveries_are_signed_and_say_what_happened() {
    let (world, inbox) = (world().await, Inbox::open());
    let created = webhook(&world, &inbox, json!({})).await;
    let invoice = world.invoice("1042").await;
    let payment = world.choose(&invoice).await;
    world.pay(&payment, "0.00166667").await;
    deliver(&world).await;
    let mut seen = told(&inbox);
    seen.sort();
    assert_eq!(seen, ["InvoiceProcessing", "InvoiceReceivedPayment"]);
    for one in inbox.received() {
        let (body, secret) = (one.json(), created["secret"].as_str().unwrap());
        assert_eq!(one.header("btcpay-sig"), signature::btcpay(secret, &one.body));
        for (name, expected) in [
            ("storeId", json!(world.business.id.to_string())),
            ("webhookId", created["id"].clone()),
            ("invoiceId", invoice["id"].clone()),
            ("metadata", json!({"orderId": "1042"})),
            ("isRedelivery", json!(false)),
        ] {
            assert_eq!(body[name], expected, "{name}: {body}");
        }
        assert_eq!(body["deliveryId"], body["originalDeliveryId"]);
        if body["type"] == "InvoiceReceivedPayment" {
            assert_eq!(body["payment"]["value"], "0.00166667");
            assert_eq!(
                (&body["afterExpiration"], &body["paymentMethodId"]),
                (&json!(false), &json!("BTC-CHAIN"))
            );
        } else {
            assert_eq!(body["overPaid"], false);
        }
    }
    world.mine("BTC").await;
    deliver(&world).await;
    let mut settled = told(&inbox).split_off(2);
    settled.sort();
    assert_eq!(settled, ["InvoicePaymentSettled", "InvoiceSettled"]);
    assert_eq!(world.callbacks("").await.as_array().unwrap().len(), 4, "in the outbox of the callbacks");
}

/// Each row: what happens to an invoice of 100 EUR, and the deliveries of it.
#[tokio::test]
async fn what_is_told() {
    use Step::{Accept, Drop, Expire, Mine, MineElsewhere, Pay, PayTwice, Reorganise};
    for (steps, expected) in [
        (&[Expire][..], &["InvoiceExpired {partiallyPaid: false}"][..]),
        (
            &[Pay("0.001"), Expire],
            &["InvoiceExpired {partiallyPaid: true}", "InvoiceReceivedPayment {afterExpiration: false}"],
        ),
        (
            &[Pay("0.003"), Mine],
            &[
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoiceProcessing {overPaid: true}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceSettled {overPaid: true, manuallyMarked: false}",
            ],
        ),
        (
            &[Expire, Pay("0.00166667"), Mine],
            &[
                "InvoiceExpired {partiallyPaid: false}",
                "InvoicePaymentSettled {afterExpiration: true}",
                "InvoiceProcessing {overPaid: false}",
                "InvoiceReceivedPayment {afterExpiration: true}",
                "InvoiceSettled {overPaid: false, manuallyMarked: false}",
            ],
        ),
        // In time, and its block afterwards.
        (
            &[Pay("0.00166667"), Expire, Mine],
            &[
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoiceProcessing {overPaid: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceSettled {overPaid: false, manuallyMarked: false}",
            ],
        ),
        // The payer of a settled invoice sends once more.
        (
            &[Pay("0.00166667"), Mine, Expire, Pay("0.001"), Mine],
            &[
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoiceProcessing {overPaid: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceSettled {overPaid: false, manuallyMarked: false}",
            ],
        ),
        // The merchant accepts a part, and the payer sends once more.
        (
            &[Pay("0.001"), Mine, Accept, Expire, Pay("0.001"), Mine],
            &[
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceSettled {overPaid: false, manuallyMarked: true}",
            ],
        ),
        (
            &[Pay("0.00166667"), Mine, Reorganise],
            &[
                "InvoiceInvalid {manuallyMarked: false}",
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoiceProcessing {overPaid: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceSettled {overPaid: false, manuallyMarked: false}",
            ],
        ),
        (
            &[Pay("0.001"), Pay("0.00066667"), Drop],
            &[
                "InvoiceInvalid {manuallyMarked: false}",
                "InvoiceProcessing {overPaid: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
            ],
        ),
        (
            &[PayTwice, Mine, MineElsewhere],
            &[
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoicePaymentSettled {afterExpiration: false}",
                "InvoiceProcessing {overPaid: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceReceivedPayment {afterExpiration: false}",
                "InvoiceSettled {overPaid: false, manuallyMarked: false}",
            ],
        ),
    ] {
        let (world, inbox) = (world().await, Inbox::open());
        webhook(&world, &inbox, json!({})).await;
        let invoice = world.invoice("1").await;
        let payment = world.choose(&invoice).await;
        for step in steps {
            step.run(&world, &payment).await;
            deliver(&world).await;
        }
        let mut all: Vec<String> = inbox.received().iter().map(|one| line(&one.json())).collect();
        all.sort();
        assert_eq!(all, expected, "{steps:?}");
    }
}

/// It would fail the order.
#[tokio::test]
async fn late_money_is_not_told_once_its_invoice_is_settled() {
    let (world, inbox) = (world().await, Inbox::open());
    webhook(&world, &inbox, json!({})).await;
    let payment = world.choose(&world.invoice("1").await).await;
    for step in [Step::Expire, Step::Pay("0.00166667"), Step::Mine] {
        step.run(&world, &payment).await;
    }
    deliver(&world).await;
    let mut all = told(&inbox);
    all.sort();
    assert_eq!(all, ["InvoicePaymentSettled", "InvoiceSettled"]);
}

#[derive(Debug)]
enum Step {
    Pay(&'static str),
    Mine,
    /// The merchant takes what came for the price.
    Accept,
    Expire,
    /// The block of the deposit leaves the chain, and the deposit with it.
    Reorganise,
    /// The last deposit leaves the chain before it is in a block.
    Drop,
    /// All of the price in bitcoin, and litecoin beside it.
    PayTwice,
    MineElsewhere,
}

impl Step {
    async fn run(&self, world: &World, payment: &str) {
        match self {
            Self::Pay(amount) => _ = world.pay(payment, amount).await,
            Self::Mine => world.mine("BTC").await,
            Self::Accept => {
                let path = format!("/api/v1/payments/{payment}/accept");
                let accepted = world.call(Method::POST, &path, Some(&world.token), None).await;
                assert_eq!(accepted.status, StatusCode::OK, "{}", accepted.json);
            }
            Self::MineElsewhere => world.mine("LTC").await,
            Self::PayTwice => {
                let shown = world.payment(payment).await;
                let choice = json!({"depositCurrency": "LTC", "network": "LTC"});
                let chosen = world.patch(&format!("/api/v1/payments/{payment}"), &world.token, &choice).await;
                assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.json);
                let transfer = json!({
                    "network": "BTC", "currency": "BTC", "address": shown["walletAddress"], "amount": "0.00166667",
                });
                world.sandbox("transfers", transfer).await;
                world.pay(payment, "0.1").await;
            }
            Self::Drop => {
                let deposits = world.payment(payment).await["deposits"].clone();
                let last = deposits.as_array().unwrap().last().unwrap();
                world.sandbox("drops", json!({"transactionId": last["transactionId"]})).await;
            }
            Self::Expire => world.advance(31 * 60).await,
            Self::Reorganise => {
                let deposit = &world.payment(payment).await["deposits"][0];
                world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
                world.sandbox("drops", json!({"transactionId": deposit["transactionId"]})).await;
            }
        }
    }
}

fn line(body: &Value) -> String {
    let of = |name: &str| body.get(name).map(|value| format!("{name}: {value}"));
    let fields = ["partiallyPaid", "overPaid", "manuallyMarked", "afterExpiration"].iter();
    let fields: Vec<String> = fields.filter_map(|name| of(name)).collect();
    format!("{} {{{}}}", body["type"].as_str().unwrap(), fields.join(", "))
}

#[tokio::test]
async fn only_what_a_webhook_wants_is_sent() {
    let (world, inbox) = (world().await, Inbox::open());
    let events = json!({"everything": false, "specificEvents": ["InvoiceSettled", "InvoiceCreated"]});
    webhook(&world, &inbox, json!({"authorizedEvents": events})).await;
    webhook(&world, &inbox, json!({"enabled": false})).await;
    let invoice = world.invoice("1").await;
    let payment = world.choose(&invoice).await;
    world.pay(&payment, "0.00166667").await;
    world.mine("BTC").await;
    deliver(&world).await;
    assert_eq!(told(&inbox), ["InvoiceSettled"]);
}

#[tokio::test]
async fn nothing_is_sent_for_a_webhook_that_is_gone() {
    let (world, inbox) = (world().await, Inbox::open());
    for change in ["deleted", "disabled"] {
        let created = webhook(&world, &inbox, json!({})).await;
        let one = format!("{WEBHOOKS}/{}", created["id"].as_str().unwrap());
        world.invoice(change).await;
        inbox.answer([Answer::Status(500)]);
        world.advance(31 * 60).await;
        deliver(&world).await;
        let before = told(&inbox).len();
        let deliveries = format!("{one}/deliveries");
        let delivery = world.read(&deliveries).await[0]["id"].as_str().unwrap().to_owned();
        let (method, body) = match change {
            "deleted" => (Method::DELETE, None),
            _ => (Method::PUT, Some(json!({"enabled": false}))),
        };
        assert_eq!(world.plugin(method, &one, body.as_ref()).await.0, StatusCode::OK);
        world.advance(60).await;
        deliver(&world).await;
        let callback = world.app.store.callback(delivery.parse().unwrap()).await.unwrap().unwrap().0;
        assert_eq!((callback.state, callback.attempts), (State::Failed, 2), "{change}");
        assert_eq!(told(&inbox).len(), before, "{change}");
        if change == "deleted" {
            for (method, path) in [
                (Method::GET, deliveries.clone()),
                (Method::GET, format!("{deliveries}/{delivery}")),
                (Method::GET, format!("{deliveries}/{delivery}/request")),
                (Method::POST, format!("{deliveries}/{delivery}/redeliver")),
            ] {
                assert_eq!(world.plugin(method, &path, None).await.0, StatusCode::NOT_FOUND, "{path}");
            }
        }
    }
}

/// What cannot be compared with the payment may be over.
#[tokio::test]
async fn a_delivery_waits_until_its_invoice_can_be_read() {
    let (world, inbox) = (world().await, Inbox::open());
    webhook(&world, &inbox, json!({"automaticRedelivery": false})).await;
    world.invoice("1").await;
    world.advance(31 * 60).await;
    let set = async |status: &str| {
        let mut change = world.database.change().await.unwrap();
        query("UPDATE payments SET status = $1").bind(status).execute(&mut change).await.unwrap();
        change.commit().await.unwrap();
    };
    set("UNREADABLE").await;
    deliver(&world).await;
    assert!(told(&inbox).is_empty());
    set("EXPIRED").await;
    world.advance(60).await;
    deliver(&world).await;
    assert_eq!(told(&inbox), ["InvoiceExpired"]);
}

/// A shop takes the last delivery for the truth: what is no longer so is not sent when its turn comes.
#[tokio::test]
async fn a_delivery_that_is_over_is_not_sent() {
    let (world, inbox) = (world().await, Inbox::open());
    let events = json!({"everything": false, "specificEvents": ["InvoiceProcessing", "InvoiceSettled"]});
    let created = webhook(&world, &inbox, json!({"authorizedEvents": events})).await;
    inbox.answer([Answer::Status(500)]);
    let invoice = world.invoice("1").await;
    let payment = world.choose(&invoice).await;
    world.pay(&payment, "0.00166667").await;
    deliver(&world).await;
    assert_eq!(told(&inbox), ["InvoiceProcessing"]);
    world.mine("BTC").await;
    world.advance(60).await;
    deliver(&world).await;
    assert_eq!(told(&inbox), ["InvoiceProcessing", "InvoiceSettled"]);
    let path = format!("{WEBHOOKS}/{}/deliveries", created["id"].as_str().unwrap());
    let deliveries = world.read(&format!("{path}?count=10")).await;
    let states: Vec<_> = deliveries.as_array().unwrap().iter().map(|one| &one["status"]).collect();
    assert_eq!(states, ["HttpSuccess", "Failed"], "{deliveries}");
}

#[tokio::test]
async fn a_delivery_is_listed_and_sent_again() {
    let (world, inbox) = (world().await, Inbox::open());
    let created = webhook(&world, &inbox, json!({"automaticRedelivery": false})).await;
    inbox.answer([Answer::Status(500)]);
    world.invoice("1").await;
    world.advance(31 * 60).await;
    deliver(&world).await;
    world.advance(3_600).await;
    deliver(&world).await;
    assert_eq!(told(&inbox), ["InvoiceExpired"], "no automatic redelivery");
    let path = format!("{WEBHOOKS}/{}/deliveries", created["id"].as_str().unwrap());
    let listed = world.read(&path).await;
    assert_eq!((&listed[0]["status"], &listed[0]["httpCode"]), (&json!("HttpError"), &json!(500)));
    let one = format!("{path}/{}", listed[0]["id"].as_str().unwrap());
    assert_eq!(world.read(&one).await, listed[0]);
    assert_eq!(world.read(&format!("{one}/request")).await, inbox.received()[0].json());
    assert_eq!(world.write(&format!("{one}/redeliver"), &json!({})).await, listed[0]["id"]);
    deliver(&world).await;
    assert_eq!(told(&inbox), ["InvoiceExpired", "InvoiceExpired"]);
    assert_eq!(world.read(&one).await["status"], "HttpSuccess");
    let (status, _) =
        world.plugin(Method::GET, &format!("{path}/{}", created["id"].as_str().unwrap()), None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}
