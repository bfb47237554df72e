//! A deposit left its chain, and is back when other things are true of it.

use checkout_core::Decimal;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use checkout_storage::query;
use serde_json::{Value, json};

use super::World;
use super::callbacks::deliver;
use super::inbox::{Answer, Inbox};
use crate::fixture::Place;

/// Another transfer paid meanwhile: all of the one that is back is too much, and goes back to the payer.
#[tokio::test]
async fn a_callback_says_what_is_true_when_its_deposit_is_back() {
    for was_refused in [false, true] {
        let inbox = Inbox::open();
        let business = Settings {
            name: Some("Fair".to_owned()),
            deposit_callback: Some(inbox.url.clone()),
            refund_excess: Some(true),
            ..Settings::default()
        };
        let world = World::in_world(Place::chosen(), Finality::default(), business).await;
        let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
        let first = world.pay(&id, "0.05").await;
        world.mine("ETH").await;
        if was_refused {
            inbox.answer([Answer::Status(410)]);
            deliver(&world).await;
        }
        world.sandbox("drops", json!({"transactionId": first})).await;
        world.pay(&id, "0.03333334").await;
        world.mine("ETH").await;
        let back = query("UPDATE sim_transfers SET dropped = 0 WHERE transaction_id = $1").bind(&first);
        world.database.apply(back).await.unwrap();
        world.mine("ETH").await;
        assert_eq!(world.payment(&id).await["status"], "OVERPAID");

        let before = inbox.received();
        deliver(&world).await;
        let told = inbox.received().split_off(before.len());
        let credited = |body: &Value| body["settlementAmount"].to_string().parse::<Decimal>().unwrap();
        let sum: Decimal = told.iter().map(|one| credited(&one.json())).sum();
        assert_eq!(world.balances().await["FIAT EUR"], "99.50");
        assert_eq!((told.len(), sum), (2, "99.50".parse().unwrap()), "{told:#?}");
        let again = told.iter().find(|one| one.json()["transactionId"] == first.as_str()).unwrap();
        for earlier in before {
            assert_eq!(earlier.header("webhook-id"), again.header("webhook-id"), "it is the same callback");
        }
    }
}
