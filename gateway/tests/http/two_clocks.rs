//! Of two gateways on one store one has ids of tomorrow, because its clock was ahead. What came first is what was stored first.

use std::sync::Arc;

use checkout_gateway::service::App;
use checkout_storage::query;
use serde_json::json;

use super::confirmations_by_amount::change;
use super::merchant_refund_stage::{BTC, paid_in_part, refunding_excess, world_with};
use super::{START, World};

/// The gateway that answers from now on is another one, with ids of today or of tomorrow.
fn change_gateway(world: &mut World, is_ahead: bool) {
    change(world, |app: &mut App| app.state = Arc::default());
    if is_ahead {
        world.app.state.ids.next((START + 2 * 86_400) * 1000);
    }
}

#[tokio::test]
async fn what_was_given_back_of_an_unpaid_order_pays_none_of_it() {
    for is_ahead in [true, false] {
        let mut world = world_with(refunding_excess()).await;
        change_gateway(&mut world, is_ahead);
        let id = paid_in_part(&world).await;
        change_gateway(&mut world, false);
        world.refunded(&id, json!({"address": BTC})).await;
        world.run().await;
        world.pay(&id, "0.0007").await;
        world.mine("BTC").await;
        assert_eq!(world.payment(&id).await["status"], "EXPIRED", "{:#}", world.payment(&id).await);
    }
}

#[tokio::test]
async fn what_came_after_a_refund_of_an_unpaid_order_pays_it() {
    for is_ahead in [true, false] {
        let mut world = world_with(refunding_excess()).await;
        let id = paid_in_part(&world).await;
        change_gateway(&mut world, is_ahead);
        world.refunded(&id, json!({"address": BTC})).await;
        world.run().await;
        change_gateway(&mut world, false);
        world.pay(&id, "0.00166667").await;
        world.mine("BTC").await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], "DEPOSITED", "{payment:#}");
        assert!(payment["deposits"][1].get("refund").is_none(), "{payment:#}");
    }
}

/// It did not store after which deposit the refund came: both ids tell.
#[tokio::test]
async fn a_refund_of_an_earlier_version_follows_the_deposits_with_smaller_ids() {
    for (amount, status) in [("0.0007", "EXPIRED"), ("0.00166667", "DEPOSITED")] {
        let world = world_with(refunding_excess()).await;
        let id = paid_in_part(&world).await;
        world.refunded(&id, json!({"address": BTC})).await;
        assert_eq!(world.database.apply(query("UPDATE refunds SET after_seq = NULL")).await.unwrap(), 1);
        world.run().await;
        world.pay(&id, amount).await;
        world.mine("BTC").await;
        assert_eq!(world.payment(&id).await["status"], status, "{:#}", world.payment(&id).await);
    }
}
