//! A test network without token contracts: its coin can be paid, its tokens are not offered.

use std::sync::Arc;

use async_trait::async_trait;
use axum::http::StatusCode;
use checkout_core::{Network, Pair};
use checkout_domain::chain::OutputId;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::{Chain, ChainError, Changes};
use checkout_gateway::service::App;
use serde_json::json;

use super::World;

struct CoinOnly(Arc<dyn Chain>);

#[async_trait]
impl Chain for CoinOnly {
    fn network(&self) -> Network {
        self.0.network()
    }

    fn reads(&self, pair: &Pair) -> bool {
        pair.contract.is_none()
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        self.0.changes(cursor).await
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        self.0.confirmations(output).await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.0.tip().await
    }

    async fn health(&self) -> Vec<Check> {
        self.0.health().await
    }
}

#[tokio::test]
async fn a_token_without_a_contract_is_not_offered() {
    let mut world = World::new().await;
    let mut app = App::clone(&world.app);
    let chain = Arc::clone(&app.chains[&Network::Eth]);
    app.chains.insert(Network::Eth, Arc::new(CoinOnly(chain)));
    world.app = Arc::new(app);
    world.router = crate::router(&world.app, &world.simulated);

    let created = world.create(json!({})).await;
    let (id, token) = (created.payment_id(), created.session_token());
    let view = world.get(&format!("/api/v1/checkout/{id}"), &token).await;
    let options = view.json["options"].as_array().unwrap();
    let offered: Vec<_> = options
        .iter()
        .filter(|option| option["network"] == "ETH")
        .map(|option| option["currency"].as_str().unwrap())
        .collect();
    assert_eq!(offered, ["ETH"]);

    let path = format!("/api/v1/payments/{id}");
    let refused = world.patch(&path, &token, &json!({"depositCurrency": "USDT", "network": "ETH"})).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.json);
    assert_eq!(refused.errors(), [("/depositCurrency".to_owned(), "unsupported_currency".to_owned())]);
    let quoted = world.patch(&path, &token, &json!({"depositCurrency": "ETH"})).await;
    assert_eq!(quoted.status, StatusCode::OK, "{}", quoted.json);
}
