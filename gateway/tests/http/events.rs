//! Which callbacks merchants receive, and when.

use std::collections::{BTreeMap, BTreeSet};

use checkout_domain::business::settings::Settings;
use checkout_domain::callback::Kind;
use checkout_gateway::events;
use checkout_gateway::service::payouts::pay_out;
use serde_json::json;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{World, contract};

/// A URL without a listener, so that callbacks stay in the outbox.
const URL: &str = "http://127.0.0.1:9/";

/// Reads the outbox.
#[derive(Default)]
struct Diary(BTreeSet<Uuid>);

impl Diary {
    /// Returns the callbacks written since the last call.
    async fn news(&mut self, world: &World) -> Vec<String> {
        let all = world.app.store.callbacks(None, None, 100).await.unwrap();
        let new = all.into_iter().filter(|callback| self.0.insert(callback.id));
        new.map(|callback| line(&callback.kind, &callback.body)).collect()
    }
}

fn line(kind: &Kind, body: &str) -> String {
    let fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(body).unwrap();
    let field = |name: &str| fields[name].get().trim_matches('"');
    if kind.as_str() == "DEPOSIT" {
        let [amount, settled, currency, fee, shown] = [
            "actualDepositAmount",
            "settlementAmount",
            "settlementCurrency",
            "settlementServiceFee",
            "displayServiceFee",
        ]
        .map(field);
        return format!("{amount}: {settled} {currency}, fee {fee} = {shown}");
    }
    let owner: serde_json::Value = serde_json::from_str(fields["txAddressOwner"].get()).unwrap();
    let owner = owner["category"].as_str().unwrap();
    format!("{} {} {owner}", field("clientWithdrawalId"), field("status"))
}

#[tokio::test]
async fn deposits() {
    let world = World::with(Settings {
        name: Some("Fair".to_owned()),
        deposit_callback: Some(URL.to_owned()),
        refund_excess: Some(true),
        refund_follow_ups: Some(true),
        ..Settings::default()
    })
    .await;
    let mut diary = Diary::default();
    let nothing: [String; 0] = [];
    // Before confirmation on a UTXO chain, with the amounts kept after refunds.
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    assert_eq!(diary.news(&world).await, ["0.00266667: 99.50 EUR, fee 0.50 = 0.50"]);
    world.mine("BTC").await;
    world.mine("BTC").await;
    assert_eq!(diary.news(&world).await, nothing, "the confirmation causes no callback");
    world.pay(&id, "0.001").await;
    assert_eq!(diary.news(&world).await, ["0.001: 0.00 EUR, fee 0.00 = 0.00"], "it is refunded in full");
    // With the first confirmation on an account chain.
    let (id, _) = world.quoted(json!({"clientPaymentId": "2", "displayCurrency": "USD"}), "ETH", "ETH").await;
    world.pay(&id, "0.01").await;
    assert_eq!(diary.news(&world).await, nothing);
    world.mine("ETH").await;
    assert_eq!(diary.news(&world).await, ["0.01: 29.85 EUR, fee 0.15 = 0.16"]);
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    assert_eq!(diary.news(&world).await, nothing);
    world.mine("ETH").await;
    assert_eq!(diary.news(&world).await, nothing, "again: the outbox has it once");
}

#[tokio::test]
async fn withdrawals_once_each() {
    let withdrawal_callback = Some(URL.to_owned());
    let world = World::with(Settings { withdrawal_callback, ..Settings::default() }).await;
    world.deposit("rich", "1000.00").await;
    let mut diary = Diary::default();
    world.withdraw(json!({"clientWithdrawalId": "good"})).await;
    let sanctioned = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
    world.withdraw(json!({"clientWithdrawalId": "bad", "recipientAddress": sanctioned})).await;
    for _ in 0..3 {
        pay_out::run(&world.app).await.unwrap();
        world.mine("ETH").await;
    }
    let mut news = diary.news(&world).await;
    news.sort();
    assert_eq!(news, ["bad BLOCKED SANCTIONS", "good COMPLETED UNKNOWN"]);
}

#[test]
fn every_event_has_a_kind_a_name_and_an_example_of_its_own() {
    let (mut kinds, mut names) = (BTreeSet::new(), BTreeSet::new());
    for listed in events::ALL.iter() {
        assert!(kinds.insert(listed.about.kind.as_str()), "{listed:?}");
        assert!(names.insert(listed.about.name), "{listed:?}");
        assert_eq!(events::title(&listed.about.kind), listed.about.title);
        contract::check_event(listed.about.name, &listed.example());
    }
    // Of a later release.
    assert_eq!(events::title(&Kind::stored("PAYMENT_SEEN".to_owned())), "Callback");
}
