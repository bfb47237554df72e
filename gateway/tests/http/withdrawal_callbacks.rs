//! Withdrawal callbacks.

use std::sync::Arc;

use axum::Router;
use checkout_domain::business::settings::Settings;
use checkout_domain::callback::State;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_gateway::events::withdrawal_replaced::WithdrawalReplaced;
use checkout_gateway::service::callbacks::announce::announce;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::World;
use super::callbacks::deliver;
use super::inbox::Inbox;
use super::paid_once::faulty;

const OPEN: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
/// On the sanctions list of the US Treasury.
const SANCTIONED: &str = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

/// A business with a balance, whose withdrawal callbacks go to `inbox`.
pub(super) async fn world(inbox: &Inbox, both_spellings: bool) -> World {
    let withdrawal_callback = Some(inbox.url.clone());
    let mut world = World::with(Settings { withdrawal_callback, ..Settings::default() }).await;
    world.router = Router::new(); // Drops the other reference to the application.
    Arc::get_mut(&mut world.app).unwrap().policy.both_spellings = both_spellings;
    world.router = crate::router(&world.app, &world.simulated);
    world.deposit("order-1", "1000.00").await;
    world
}

/// Interface section 6.2, field for field.
#[tokio::test]
async fn the_bodies() {
    let sent = r#""actualDisplayAmount":60.00,"estimatedWithdrawAmount":0.02,"actualWithdrawAmount":0.02,"deducedSettlementAmount":61.86,"withdrawFee":0.0006,"displayFee":1.80,"#;
    let both = sent.replace(r#""withdrawFee""#, r#""deductedSettlementAmount":61.86,"withdrawFee""#);
    let kept = r#""estimatedWithdrawAmount":0.02,"#;
    for (status, recipient, both_spellings, amounts, owner) in [
        ("COMPLETED", OPEN, false, sent, ["Unknown", "UNKNOWN"]),
        ("COMPLETED", OPEN, true, both.as_str(), ["Unknown", "UNKNOWN"]),
        ("BLOCKED", SANCTIONED, true, kept, ["Lazarus Group", "SANCTIONS"]),
    ] {
        let inbox = Inbox::open();
        let world = world(&inbox, both_spellings).await;
        let made = world.withdraw(json!({"recipientAddress": recipient})).await;
        assert_eq!(made.json["status"], "NEW", "{}", made.json);
        deliver(&world).await;
        assert_eq!(inbox.received().len(), 0, "there is no outcome yet");
        pay_out::run(&world.app).await.unwrap();
        pay_out::run(&world.app).await.unwrap();
        world.mine("ETH").await;
        deliver(&world).await;
        let received = inbox.received();
        assert_eq!(received.len(), 1, "once");
        let transaction: Option<String> =
            received[0].json().get("transactionId").map(|id: &Value| id.as_str().unwrap().to_owned());
        assert_eq!(transaction.is_some(), status == "COMPLETED");
        let transaction = transaction.map(|id| format!(r#""transactionId":"{id}","#)).unwrap_or_default();
        let expected = format!(
            r#"{{"status":"{status}","clientWithdrawalId":"w-1","businessId":"{}","withdrawalId":{},"displayCurrency":"EUR","withdrawCurrency":"ETH","settlementCurrency":"EUR","expectedDisplayAmount":60.00,{amounts}"toTxAddress":"{recipient}",{transaction}"txAddressOwner":{{"name":"{}","category":"{}"}}}}"#,
            world.business.id, made.json["withdrawId"], owner[0], owner[1]
        );
        assert_eq!(received[0].body, expected);
        let all = world.app.store.callbacks(Some(world.business.id), None, 10).await.unwrap();
        assert_eq!(all.iter().map(|one| one.state).collect::<Vec<_>>(), [State::Delivered]);
    }
}

/// Refused by the network: nothing was sent, deducted or paid, and the fields show that.
#[tokio::test]
async fn the_callback_of_a_failed_withdrawal() {
    let inbox = Inbox::open();
    let world = world(&inbox, true).await;
    let made = world.withdraw(json!({"recipientAddress": OPEN})).await;
    let app = faulty(&world, false, |_| Some(Unsent::Refused("no funds".to_owned())));
    pay_out::run(&app).await.unwrap();
    deliver(&world).await;
    let expected = format!(
        r#"{{"status":"FAILED","clientWithdrawalId":"w-1","businessId":"{}","withdrawalId":{},"displayCurrency":"EUR","withdrawCurrency":"ETH","settlementCurrency":"EUR","expectedDisplayAmount":60.00,"estimatedWithdrawAmount":0.02,"toTxAddress":"{OPEN}","txAddressOwner":{{"name":"Unknown","category":"UNKNOWN"}}}}"#,
        world.business.id, made.json["withdrawId"],
    );
    assert_eq!(inbox.received().iter().map(|one| one.body.clone()).collect::<Vec<_>>(), [expected]);
}

/// The merchant was told COMPLETED, and then the contract refused the money: a second callback, with an id of its own.
#[tokio::test]
async fn the_callbacks_of_a_withdrawal_that_reverts() {
    let check = async |is_told: bool, is_replaced: bool, expected: &[&str]| {
        let inbox = Inbox::open();
        let world = world(&inbox, false).await;
        let made = world.withdraw(json!({"recipientAddress": OPEN})).await;
        for _ in 0..2 {
            pay_out::run(&world.app).await.unwrap();
        }
        if is_told {
            deliver(&world).await;
        }
        let transaction = world.stored("transaction_id").await[0].clone().unwrap();
        if is_replaced {
            // It was paid by another of its transactions, twice, and the merchant's server did not answer.
            let id = made.json["withdrawId"].as_str().unwrap().parse().unwrap();
            for _ in 0..2 {
                let mut tx = world.database.begin().await.unwrap();
                let withdrawal = tx.withdrawal(id).await.unwrap().unwrap();
                let event = WithdrawalReplaced::new(&withdrawal, false);
                let (business, subject) = (withdrawal.business, world.app.new_id());
                announce(&world.app, tx.as_mut(), business, subject, event).await.unwrap();
                tx.commit().await.unwrap();
            }
        }
        world.sandbox("reverts", json!({"transactionId": transaction})).await;
        world.mine("ETH").await;
        pay_out::run(&world.app).await.unwrap();
        deliver(&world).await;
        deliver(&world).await;
        let received = inbox.received();
        let told: Vec<_> =
            received.iter().map(|one| one.json()["status"].as_str().unwrap().to_owned()).collect();
        assert_eq!(told, expected);
        let mut all = world.app.store.callbacks(Some(world.business.id), None, 10).await.unwrap();
        all.dedup_by_key(|one| one.id);
        assert_eq!(all.len(), if is_replaced { 4 } else { 2 }, "each has an id of its own");
        let last = received.last().unwrap().json();
        assert_eq!((&last["clientWithdrawalId"], last.get("actualWithdrawAmount")), (&json!("w-1"), None));
    };
    check(true, false, &["COMPLETED", "FAILED"]).await;
    check(false, false, &["FAILED"]).await;
    // FAILED is the last word: no COMPLETED is sent after it.
    check(true, true, &["COMPLETED", "FAILED"]).await;
    check(false, true, &["FAILED"]).await;
}
