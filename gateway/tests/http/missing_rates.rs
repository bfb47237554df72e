//! Deposits that come while the rate feed has no fresh rate.

use std::sync::Arc;

use checkout_domain::business::settings::Settings;
use checkout_gateway::service::App;
use serde_json::json;

use super::callbacks::deliver;
use super::faults::Stale;
use super::inbox::Inbox;
use super::shown_quotes::quote;
use super::{World, router};

/// Its value is unknown: the payer chose another coin, and there is no rate.
#[tokio::test]
async fn a_deposit_without_a_rate_is_reported_in_a_block() {
    let inbox = Inbox::open();
    let business = Settings {
        name: Some("Kettle & Co".to_owned()),
        deposit_callback: Some(inbox.url.clone()),
        instant_deposit_limit: Some(Some("100".parse().unwrap())),
        ..Settings::default()
    };
    let mut world = World::with(business).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let bitcoin = world.payment(&id).await["walletAddress"].clone();
    quote(&world, &id, "ETH", "ETH").await;
    world.advance(7_200).await;
    world.app = Arc::new(App { rates: Arc::new(Stale), ..(*world.app).clone() });
    world.router = router(&world.app, &world.simulated);
    let late = json!({"network": "BTC", "currency": "BTC", "address": bitcoin, "amount": "1"});
    world.sandbox("transfers", late).await;
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 0);
    world.mine("BTC").await;
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1);
}
