//! What merchants are told, and when.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::json;

use super::World;
use crate::domain::withdrawal::Withdrawal;
use crate::ports::events::{Credited, Events};
use crate::ports::{Stored, Tx};
use crate::service::create_business::NewBusiness;
use crate::service::{App, pay_out};

/// Writes down what it is told.
#[derive(Default)]
struct Diary(Mutex<Vec<String>>);

#[async_trait]
impl Events for Diary {
    async fn deposit_credited(&self, _: &mut dyn Tx, credited: Credited<'_>) -> Stored<()> {
        let (settlement, deposit) = (credited.settlement, credited.deposit);
        let fee = settlement.display_fee(deposit, credited.record.payment.display_currency);
        let (amount, asset) =
            (deposit.amount.to_text(deposit.pair().decimals), settlement.total.asset.code());
        let line = format!("{amount}: {} {asset}, fee {} = {fee}", settlement.total, settlement.total_fee);
        self.0.lock().unwrap().push(line);
        Ok(())
    }

    async fn withdrawal_finished(&self, _: &mut dyn Tx, withdrawal: &Withdrawal) -> Stored<()> {
        let owner = withdrawal.owner.as_ref().map_or("nobody", |owner| owner.category.as_str());
        let line = format!("{} {} {owner}", withdrawal.client_withdrawal_id, withdrawal.status);
        self.0.lock().unwrap().push(line);
        Ok(())
    }
}

impl Diary {
    /// What was written since the last look.
    fn news(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn listening(world: &mut World) -> Arc<Diary> {
    let diary = Arc::new(Diary::default());
    world.app = Arc::new(App { events: diary.clone(), ..(*world.app).clone() });
    world.router = crate::http::router(Arc::clone(&world.app));
    diary
}

#[tokio::test]
async fn deposits() {
    let mut world = World::with(NewBusiness {
        name: "Fair".to_owned(),
        refund_excess: true,
        refund_follow_ups: true,
        ..NewBusiness::default()
    })
    .await;
    let diary = listening(&mut world);
    let nothing: [String; 0] = [];
    // At first sight on a UTXO chain, with what will stay of it.
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    assert_eq!(diary.news(), ["0.00266667: 99.50 EUR, fee 0.50 = 0.50"]);
    world.mine("BTC").await;
    world.mine("BTC").await;
    assert_eq!(diary.news(), nothing, "the confirmation is no news");
    world.pay(&id, "0.001").await;
    assert_eq!(diary.news(), ["0.001: 0.00 EUR, fee 0.00 = 0.00"], "it goes back whole");
    // With the confirmation on an account chain.
    let (id, _) = world.quoted(json!({"clientPaymentId": "2", "displayCurrency": "USD"}), "ETH", "ETH").await;
    world.pay(&id, "0.01").await;
    assert_eq!(diary.news(), nothing);
    world.mine("ETH").await;
    assert_eq!(diary.news(), ["0.01: 29.85 EUR, fee 0.15 = 0.16"]);
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    assert_eq!(diary.news(), nothing);
    world.mine("ETH").await;
    assert_eq!(diary.news(), ["0.01: 29.85 EUR, fee 0.15 = 0.16"], "again: the outbox tells it once");
}

#[tokio::test]
async fn withdrawals_once_each() {
    let mut world = World::new().await;
    world.deposit("rich", "1000.00").await;
    let diary = listening(&mut world);
    world.withdraw(json!({"clientWithdrawalId": "good"})).await;
    let sanctioned = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
    world.withdraw(json!({"clientWithdrawalId": "bad", "recipientAddress": sanctioned})).await;
    for _ in 0..3 {
        pay_out::run(&world.app).await.unwrap();
        world.mine("ETH").await;
    }
    let mut news = diary.news();
    news.sort();
    assert_eq!(news, ["bad BLOCKED SANCTIONS", "good COMPLETED UNKNOWN"]);
}
