//! Refunds of the merchant on networks whose servers forget, or have no payouts at the moment.

use std::sync::Arc;

use async_trait::async_trait;
use axum::http::StatusCode;
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::{Chain, ChainError, Changes};
use checkout_gateway::service::App;
use serde_json::json;

use super::World;
use super::merchant_refund_stage::{BTC, check_refused, paid, world};

const THIRTY_DAYS: u64 = 30 * 86_400;

/// A pruned server: it has the blocks, and answers for no transaction. Esplora and Electrum servers answer so for one that is in no
/// block, too.
struct Forgetful(Arc<dyn Chain>);

#[async_trait]
impl Chain for Forgetful {
    fn network(&self) -> Network {
        self.0.network()
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        self.0.changes(cursor).await
    }

    async fn confirmations(&self, _output: &OutputId) -> Result<u64, ChainError> {
        Ok(0)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.0.tip().await
    }

    async fn health(&self) -> Vec<Check> {
        self.0.health().await
    }
}

impl World {
    pub(super) fn with_app(self, change: impl FnOnce(&mut App)) -> Self {
        let mut app = (*self.app).clone();
        change(&mut app);
        let app = Arc::new(app);
        let router = super::router(&app, &self.simulated);
        Self { app, router, ..self }
    }
}

/// A transaction that was lost would have been taken off its payment since. Rows: how long it waited for a block, and how long ago that
/// was.
#[tokio::test]
async fn a_deposit_that_its_server_forgot_is_final_after_thirty_days() {
    const LONG: u64 = THIRTY_DAYS + 1;
    for (waited, age, sent) in [(0, 0, 0), (0, THIRTY_DAYS, 0), (0, LONG, 1), (LONG, 0, 0), (LONG, LONG, 1)] {
        let world = world().await;
        let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
        world.pay(&id, "0.00166667").await;
        world.advance(waited).await;
        world.mine("BTC").await;
        let world = world.with_app(|app| {
            let chain = Arc::clone(&app.chains[&Network::Btc]);
            app.chains.insert(Network::Btc, Arc::new(Forgetful(chain)));
        });
        world.advance(age).await;
        let refund = world.refunded(&id, json!({"address": BTC})).await;
        world.run().await;
        assert_eq!(world.sent().await.len(), sent, "{waited} and {age} seconds");
        assert_eq!(world.refund_now(&refund).await["status"], "PENDING");
    }
}

/// The same request succeeds once the network has payouts again.
#[tokio::test]
async fn a_network_without_payouts_refuses_refunds_and_changes_nothing() {
    let world = world().await;
    let id = paid(&world).await;
    let before = world.balances().await;
    let payouts = world.app.broadcasters.clone();
    let world = world.with_app(|app| drop(app.broadcasters.remove(&Network::Btc)));
    for body in [json!({"address": BTC}), json!({})] {
        let refused = world.refund(&id, body).await;
        check_refused(&refused, 503, "network_unavailable");
        assert!(refused.header("retry-after").is_some(), "{refused:?}");
    }
    assert_eq!(world.balances().await, before);
    assert!(world.payment(&id).await.get("refunds").is_none_or(|refunds| *refunds == json!([])));
    let world = world.with_app(|app| app.broadcasters = payouts);
    let made = world.refund(&id, json!({"address": BTC})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
}
