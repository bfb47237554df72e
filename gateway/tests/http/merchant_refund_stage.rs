//! Businesses and payments for tests of the refunds that a merchant asks for.

use axum::http::StatusCode;
use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::{Answer, World, over};
use crate::fixture::Place;

pub(super) const BTC: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
pub(super) const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
/// On the sanctions list of the US Treasury.
pub(super) const SANCTIONED: &str = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

impl World {
    pub(super) async fn refund(&self, payment: &str, fields: Value) -> Answer {
        let body = over(json!({"clientRefundId": "r-1"}), fields);
        self.post(&format!("/api/v1/payments/{payment}/refunds"), &self.token, &body).await
    }

    pub(super) async fn refunded(&self, payment: &str, fields: Value) -> Value {
        let made = self.refund(payment, fields).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
        made.json
    }

    /// Posts a decision about a refund.
    pub(super) async fn decide_refund(&self, refund: &Value, decision: &str, body: Option<Value>) -> Answer {
        let path = format!("/api/v1/refunds/{}/{decision}", refund["refundId"].as_str().unwrap());
        if decision == "approve" {
            return self.approved(&path, &self.token).await;
        }
        self.call(axum::http::Method::POST, &path, Some(&self.token), body.as_ref()).await
    }

    pub(super) async fn refund_now(&self, refund: &Value) -> Value {
        let path = format!("/api/v1/refunds/{}", refund["refundId"].as_str().unwrap());
        let answer = self.get(&path, &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        answer.json
    }

    pub(super) async fn run(&self) {
        for _ in 0..3 {
            pay_out::run(&self.app).await.unwrap();
        }
    }

    pub(super) async fn rules(&self, changes: RuleChanges) {
        crate::fixture::change_rules(self.app.store.as_ref(), self.business.id, changes).await.unwrap();
    }
}

/// A business that settles in BTC, so that a refund in BTC costs what it is, and with more than the payments bring.
pub(super) async fn world() -> World {
    world_with(Settings::default()).await
}

/// The same with these settings.
pub(super) async fn world_with(settings: Settings) -> World {
    let world = World::settling("1", Currency::Btc, settings).await;
    world.deposit("float", "5000.00").await;
    world
}

/// A business that settles in EUR, on networks with their own finality.
pub(super) async fn world_with_finality(settings: Settings) -> World {
    let world = World::in_world(Place::chosen(), Finality::default(), settings).await;
    world.deposit("float", "5000.00").await;
    world.sandbox("blocks", json!({"network": "BTC", "count": 5})).await;
    world
}

/// The payer gets back what is too much.
pub(super) fn refunding_excess() -> Settings {
    Settings { refund_excess: Some(true), ..Settings::default() }
}

/// A payment in ETH, which is paid. Its business settles in EUR.
pub(super) async fn paid_in_ether() -> (World, String) {
    let world = World::new().await;
    world.deposit("float", "1000.00").await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine("ETH").await;
    (world, id)
}

/// A payment of 100 EUR in BTC, which is paid: 0.00166667 BTC.
pub(super) async fn paid(world: &World) -> String {
    world.deposit("order-1", "100.00").await
}

/// The same payment with 0.001 BTC, after its window.
pub(super) async fn paid_in_part(world: &World) -> String {
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    world.advance(7200).await;
    id
}

pub(super) fn words(refund: &Value) -> [&str; 4] {
    ["status", "waitingFor", "amount", "address"].map(|name| refund[name].as_str().unwrap_or("-"))
}

#[track_caller]
pub(super) fn check_refused(answer: &Answer, status: u16, code: &str) {
    let errors = answer.errors();
    let codes = errors.iter().map(|(_, code)| code.as_str()).chain(answer.json["code"].as_str());
    assert_eq!(
        (answer.status.as_u16(), codes.clone().any(|have| have == code)),
        (status, true),
        "{code}: {}",
        answer.json
    );
}
