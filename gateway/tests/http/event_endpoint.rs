//! The endpoint for typed events: chosen events, signatures, lists, tests, and places of its own.

use checkout_domain::business::events::{EventChoice, EventType};
use checkout_domain::business::settings::Settings;
use checkout_domain::callback::{Lane, signature};
use checkout_gateway::service::callbacks::deliver_callbacks::CallbackDispatcher;
use serde_json::json;

use super::callbacks::deliver;
use super::inbox::Inbox;
use super::typed_events::{URL, settings};
use super::{START, World};

/// Events go to their own endpoint, signed and with one id on every attempt.
#[tokio::test]
async fn events_are_sent_and_sent_again() {
    let inbox = Inbox::open();
    let world = World::with(Settings { event_url: Some(inbox.url.clone()), ..Settings::default() }).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    deliver(&world).await;
    let received = inbox.received();
    assert_eq!((received.len(), received[0].json()), (1, world.typed_events(&id).await.remove(0)));
    let (webhook, body) = (received[0].header("webhook-id"), &received[0].body);
    let secret = world.business.callback_secret.as_str();
    assert_eq!(received[0].header("webhook-signature"), signature::header([secret], webhook, START, body));
    let again = world.post(&format!("/api/v1/callbacks/{webhook}/resend"), &world.token, &json!({})).await;
    assert_eq!(
        (again.status.as_u16(), &again.json["event"]),
        (200, &json!("payment.status")),
        "{}",
        again.json
    );
    deliver(&world).await;
    let received = inbox.received();
    assert_eq!(received.len(), 2);
    assert_eq!((received[1].header("webhook-id"), &received[1].body), (webhook, body));
}

#[tokio::test]
async fn only_chosen_events_are_sent() {
    for (chosen, expected) in [
        (&["*"][..], 6),
        (&["payment.*"], 3),
        (&["deposit.confirmed", "deposit.reversed"], 1),
        (&["withdrawal.*", "deposit.*"], 3),
        (&["refund.*"], 0),
    ] {
        let events: Vec<EventChoice> = chosen.iter().map(|name| name.parse().unwrap()).collect();
        let world = World::with(Settings { events: Some(events), ..settings() }).await;
        let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
        world.pay(&id, "0.00166667").await;
        world.mine("BTC").await;
        assert_eq!(world.typed_events(&id).await.len(), expected, "{chosen:?}");
    }
    let world = World::new().await;
    world.quoted(json!({}), "BTC", "BTC").await;
    assert_eq!(world.callbacks("").await, json!([]), "without a URL");
}

#[tokio::test]
async fn callbacks_are_listed_by_event() {
    let world = World::with(Settings { deposit_callback: Some(URL.to_owned()), ..settings() }).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    let listed = async |query: &str| {
        let answer = world.get(&format!("/api/v1/callbacks?{query}"), &world.token).await;
        answer.json.as_array().map(Vec::len).ok_or_else(|| answer.errors())
    };
    assert_eq!(listed("").await, Ok(7));
    assert_eq!(listed("event=payment.status").await, Ok(3));
    assert_eq!(listed("event=depositReceived").await, Ok(1));
    assert_eq!(listed(&format!("event=deposit.seen&subjectId={id}")).await, Ok(1));
    assert_eq!(listed("event=deposit.held").await, Ok(0));
    assert_eq!(listed("event=deposit").await, Err(vec![("/event".to_owned(), "unknown_value".to_owned())]));
}

/// An endpoint for events that does not answer has its own places: the interface's callbacks go on.
#[tokio::test]
async fn events_do_not_delay_callbacks() {
    let inbox = Inbox::open();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", silent.local_addr().unwrap());
    let settings =
        Settings { deposit_callback: Some(inbox.url.clone()), event_url: Some(url), ..Settings::default() };
    let world = World::with(settings).await;
    for order in 0..12 {
        world.quoted(json!({"clientPaymentId": format!("{order}")}), "BTC", "BTC").await;
    }
    let (id, _) = world.quoted(json!({"clientPaymentId": "paid"}), "BTC", "BTC").await;
    let mut dispatcher = CallbackDispatcher::new(world.app.clone());
    dispatcher.begin_due().await.unwrap();
    world.pay(&id, "0.00166667").await;
    dispatcher.begin_due().await.unwrap();
    let busy = world.app.store.due_businesses(Lane::Events, START).await.unwrap();
    assert_eq!(busy, [world.business.id], "events wait for a place");
    for _ in 0..100 {
        if !inbox.received().is_empty() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the callback waits for events");
}

#[tokio::test]
async fn a_business_chooses_its_events() {
    let world = World::new().await;
    let key = world.organisation_key().await;
    let path = format!("/api/v1/businesses/{}", world.business.id);
    let shown = world.get(&path, &world.token).await.json;
    assert!(shown.get("eventUrl").is_none() && shown.get("events").is_none(), "{shown}");
    let changed = world.patch(&path, &key, &json!({"eventUrl": URL})).await.json;
    assert_eq!((&changed["eventUrl"], &changed["events"]), (&json!(URL), &json!(["*"])), "{changed}");
    let some = json!(["payment.status", "deposit.*"]);
    world.patch(&path, &key, &json!({"events": some})).await;
    let shown = world.get(&path, &world.token).await.json;
    assert_eq!((&shown["eventUrl"], &shown["events"]), (&json!(URL), &some), "{shown}");
    for (body, pointer, code) in [
        (json!({"events": ["payment.paid"]}), "/events", "unknown_value"),
        (json!({"events": ["depositReceived"]}), "/events", "unknown_value"),
        (json!({"events": []}), "/events", "empty"),
        (json!({"eventUrl": "shop"}), "/eventUrl", "bad_url"),
    ] {
        let refused = world.patch(&path, &key, &body).await;
        assert_eq!(refused.errors(), [(pointer.to_owned(), code.to_owned())], "{body}");
        if code == "unknown_value" {
            assert!(refused.json.to_string().contains("withdrawal.reverted"), "{}", refused.json);
        }
    }
    world.patch(&path, &key, &json!({"eventUrl": ""})).await;
    assert!(world.get(&path, &world.token).await.json.get("eventUrl").is_none());
}

/// The test of an endpoint has ids that nothing has.
#[tokio::test]
async fn each_event_can_be_tested() {
    let inbox = Inbox::open();
    let world = World::with(Settings { event_url: Some(inbox.url.clone()), ..Settings::default() }).await;
    let key = world.organisation_key().await;
    let path = format!("/api/v1/businesses/{}/test-callback", world.business.id);
    for (event, about) in EventType::ALL {
        let tested = world.post(&path, &key, &json!({"event": about.name})).await;
        assert_eq!(
            (tested.status.as_u16(), &tested.json["httpStatus"]),
            (200, &json!(200)),
            "{}",
            tested.json
        );
        let body = inbox.received().pop().unwrap().json();
        assert_eq!(
            (&body["type"], &body["businessId"]),
            (&json!(event.name()), &json!(world.business.id.to_string()))
        );
        let data = &body["data"];
        let client = ["clientPaymentId", "clientWithdrawId"].map(|name| data[name].as_str());
        assert!(client.contains(&Some("test")), "{data}");
        let example = checkout_gateway::events::named(about.name).unwrap().example();
        for id in ["id", "paymentId", "refundId", "withdrawId"] {
            assert!(data.get(id).is_none_or(|own| *own != example["data"][id]), "{id}: {data}");
        }
    }
}
