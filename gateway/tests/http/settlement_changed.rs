//! A business that changes its settlement currency keeps what it has.

use axum::http::StatusCode;
use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::Store as _;
use serde_json::json;

use super::World;
use super::merchant_refund_stage::{BTC, EVM, check_refused};

impl World {
    async fn settles_in(&self, currency: Option<Currency>) {
        let mut tx = self.database.begin().await.unwrap();
        let mut business = tx.business(self.business.id).await.unwrap().unwrap();
        business.settlement_crypto = currency;
        tx.put_business(&business).await.unwrap();
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn coins_of_an_earlier_settlement_currency_are_withdrawn() {
    for later in [Some(Currency::Eth), None] {
        let world = World::settling("1", Currency::Btc, Settings::default()).await;
        world.deposit("order-1", "5000.00").await;
        let before = world.balances().await["CRYPTO BTC"].clone();
        assert_eq!(before, "0.08291668");
        world.settles_in(later).await;
        let body = |client: &str, amount: &str| {
            json!({"clientWithdrawalId": client, "withdrawalAccount": "CRYPTO", "withdrawCurrency": "BTC", "network": "BTC",
                "recipientAddress": BTC, "targetAmount": amount})
        };
        check_refused(&world.withdraw(body("more", "0.0829")).await, 422, "insufficient_balance");
        let made = world.withdraw(body("w-1", "0.08")).await;
        assert_eq!(made.status, StatusCode::CREATED, "{later:?}: {}", made.json);
        let balances = world.balances().await;
        assert_eq!(balances["WITHDRAWALS BTC"], made.json["settlementDeductedAmount"].as_str().unwrap());
        assert!(!balances.contains_key("CRYPTO ETH"), "{later:?}: {balances:?}");
        world.run().await;
        assert_eq!(world.sent().await, [(BTC.to_owned(), None, "8000000".to_owned())], "{later:?}");
    }
}

/// A deposit after the change is settled anew, and each withdrawal takes the coins that suffice.
#[tokio::test]
async fn both_settlement_currencies_are_withdrawn() {
    let world = World::settling("1", Currency::Btc, Settings::default()).await;
    world.deposit("order-1", "5000.00").await;
    world.settles_in(Some(Currency::Eth)).await;
    world.deposit("order-2", "5000.00").await;
    let before = world.balances().await;
    assert!(before.contains_key("CRYPTO BTC") && before.contains_key("CRYPTO ETH"), "{before:?}");
    let eth = json!({"clientWithdrawalId": "w-1", "withdrawalAccount": "CRYPTO", "withdrawCurrency": "ETH", "network": "ETH",
        "recipientAddress": EVM, "targetAmount": "0.5"});
    let made = world.withdraw(eth).await;
    assert_eq!((made.status, &made.json["settlementCurrency"]), (StatusCode::CREATED, &json!("ETH")));
    assert_eq!(world.balances().await["CRYPTO BTC"], before["CRYPTO BTC"]);
}
