//! Parts of a price that one block has are stored in several changes, and not all of them by one reading.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use checkout_core::{Decimal, Network};
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::{NoRate, Rates};
use checkout_domain::rates::asset::Asset;
use checkout_gateway::service::transfers::record_transfers::catch_up;
use serde_json::json;

use super::START;
use super::confirmations_attacks::required;
use super::confirmations_by_amount::{change, world};
use super::inbox::Inbox;
use super::shown_quotes::{send_part, shown as quote};
use crate::fixture::Look as _;

/// Answers so often, and then the process dies.
struct Dying(Arc<dyn Rates>, AtomicUsize);

impl Rates for Dying {
    fn rate(&self, from: Asset, to: Asset) -> Result<Decimal, NoRate> {
        let left = self.1.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        assert!(left.is_ok(), "the process dies");
        self.0.rate(from, to)
    }
}

/// The first change of the block was stored when the process died, or by another process.
#[tokio::test]
async fn parts_that_were_stored_before_a_crash_count_after_it() {
    let mut world = world(Settings::default()).await;
    let (id, _) = world.quoted(json!({"displayAmount": "9000.00"}), "BTC", "BTC").await;
    let to = quote(&world.payment(&id).await);
    for _ in 0..62 {
        // 33 EUR.
        send_part(&world, &to, "0.00055", START).await;
    }
    world.simulated.simulator.mine(Network::Btc, 1).await.unwrap();
    let before = Arc::clone(&world.app);
    change(&mut world, |app| app.rates = Arc::new(Dying(Arc::clone(&app.rates), 200.into())));
    let app = Arc::clone(&world.app);
    tokio::spawn(async move { catch_up(&app, Network::Btc).await.map_err(|_| ()) }).await.unwrap_err();
    change(&mut world, |app| app.rates = Arc::clone(&before.rates));
    assert_eq!(required(&world.payment(&id).await), [None; 30], "one change");
    catch_up(&world.app, Network::Btc).await.unwrap();
    assert_eq!(required(&world.payment(&id).await), [vec![None; 30], vec![Some(3); 32]].concat());
}

/// A deposit of before moved into the block of two others: all three can be lost with it.
#[tokio::test]
async fn a_deposit_that_moved_into_the_block_takes_nothing_off_its_parts() {
    let world = world(Settings::default()).await;
    let (id, _) = world.quoted(json!({"displayAmount": "9000.00"}), "BTC", "BTC").await;
    let to = quote(&world.payment(&id).await);
    // 900 EUR.
    world.pay(&id, "0.015").await;
    world.mine("BTC").await;
    // 480 and 90 EUR.
    send_part(&world, &to, "0.008", START).await;
    world.simulated.simulator.reorganise(Network::Btc, 1).await.unwrap();
    send_part(&world, &to, "0.0015", START).await;
    world.mine("BTC").await;
    assert_eq!(required(&world.payment(&id).await), [None, None, Some(3)]);
}

/// More moved at once than one change takes, beside a new one.
#[tokio::test]
async fn deposits_that_moved_are_not_reversed_in_between() {
    let inbox = Inbox::open();
    let world = world(Settings { event_url: Some(inbox.url.clone()), ..Settings::default() }).await;
    let fields = json!({"displayAmount": "9000.00", "type": "REUSABLE"});
    let (id, _) = world.quoted(fields, "BTC", "BTC").await;
    let to = quote(&world.payment(&id).await);
    for _ in 0..16 {
        world.pay(&id, "0.001").await;
    }
    world.mine("BTC").await;
    send_part(&world, &to, "0.001", START).await;
    world.simulated.simulator.reorganise(Network::Btc, 1).await.unwrap();
    world.mine("BTC").await;
    let told = async |kind: &str| {
        let kinds = world.database.texts("SELECT kind FROM callbacks").await;
        kinds.iter().filter(|row| row[0].as_deref() == Some(kind)).count()
    };
    assert_eq!((told("deposit.confirmed").await, told("deposit.reversed").await), (17, 0));
}
