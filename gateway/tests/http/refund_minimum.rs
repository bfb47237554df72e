//! What a payer gets back may be small: the minimum of withdrawals is none of refunds.

use checkout_core::pair::PAIRS;
use serde_json::{Value, json};

use super::World;
use super::claims::{Payer, quoted};
use super::merchant_refund_stage::{BTC, check_refused, words, world};

/// A payment of this price, paid in the pair. Returns its id and the amount.
async fn paid(world: &World, price: &str, currency: &str, network: &str) -> (String, String) {
    let order =
        json!({"clientPaymentId": format!("{price} in {currency} on {network}"), "displayAmount": price});
    let (id, _) = world.quoted(order, currency, network).await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine(network).await;
    (id, amount)
}

#[tokio::test]
async fn an_order_of_25_eur_is_refunded_whole_in_every_pair() {
    let world = world().await;
    let mut refused = Vec::new();
    for pair in PAIRS.iter().filter(|pair| pair.deposit && pair.withdrawal) {
        let (currency, network) = (pair.currency.code(), pair.network.code());
        let (id, amount) = paid(&world, "25.00", currency, network).await;
        let address = pair.network.spec().example;
        let before = world.sent().await.len();
        let fields = json!({"clientRefundId": format!("{currency} {network}"), "address": address});
        let refund = world.refund(&id, fields).await;
        if refund.status != 201 {
            refused.push(format!(
                "{amount} {currency} on {network}: {} {:?}",
                refund.status,
                refund.errors()
            ));
            continue;
        }
        assert_eq!(refund.json["amount"], amount, "{currency} {network}");
        world.run().await;
        assert_eq!(world.sent().await.len(), before + 1, "{currency} {network}");
    }
    assert!(refused.is_empty(), "{refused:#?}");
}

/// Of an order of 25 EUR: its first half came too late to be the price, or all of it came twice.
#[tokio::test]
async fn a_payer_asks_for_less_than_the_minimum_of_withdrawals() {
    for (times, came, gets, atoms) in [
        (1, "0.0002", "0.00017", "17000"),
        (1, "0.0001", "0.00007", "7000"),
        (2, "0.00041667", "0.00038667", "38667"),
    ] {
        let world = world().await;
        let (id, session) = world.quoted(json!({"displayAmount": "25.00"}), "BTC", "BTC").await;
        for _ in 0..times {
            world.pay(&id, came).await;
            world.mine("BTC").await;
        }
        world.advance(7200).await;
        let payer = Payer { id, session };
        let claims = world.claims(&payer).await;
        assert_eq!(claims.len(), 1, "{came}: {claims:?}");
        let have = ["status", "amount", "fee"].map(|name| claims[0][name].as_str().unwrap_or("-"));
        assert_eq!(have, ["OPEN", gets, "0.00003"], "{came}");
        let asked = world.ask(&payer, BTC).await;
        world.approve(&asked).await;
        world.run().await;
        assert_eq!(world.sent().await, [(BTC.to_owned(), None, atoms.to_owned())], "{came}");
    }
}

/// The merchant's refund without an address, which the payer names.
#[tokio::test]
async fn the_payer_names_the_address_of_a_small_refund() {
    let world = world().await;
    let (id, _) = paid(&world, "25.00", "BTC", "BTC").await;
    let refund = world.refunded(&id, json!({"amount": "0.0002"})).await;
    assert_eq!(words(&refund), ["PENDING", "ADDRESS", "0.0002", "-"]);
    let given = world.decide_refund(&refund, "address", Some(json!({"address": BTC}))).await;
    assert_eq!(given.status, 200, "{}", given.json);
    world.run().await;
    assert_eq!(world.sent().await, [(BTC.to_owned(), None, "20000".to_owned())]);
}

/// The network relays 0.00000294 BTC, and asks 0.00003 BTC for it. XRP has no smallest transfer and costs 0.001 XRP. Rows: what is
/// refused, and what is the least that is not.
#[tokio::test]
async fn only_what_is_not_worth_its_fee_is_refused() {
    let rows: [(&str, &[&str], &str); 3] = [
        ("BTC", &["0.00000001", "0.00000293", "0.00000294", "0.00002999", "0.00003"], "0.00003001"),
        ("LTC", &["0.00000001", "0.0001"], "0.00010001"),
        ("XRP", &["0.000001", "0.001"], "0.001001"),
    ];
    for (coin, refused, least) in rows {
        let world = world().await;
        let (id, _) = paid(&world, "25.00", coin, coin).await;
        let before = world.balances().await;
        let refund =
            async |amount: &str| world.refund(&id, json!({"clientRefundId": amount, "amount": amount})).await;
        for amount in refused {
            check_refused(&refund(amount).await, 422, "below_minimum");
        }
        assert_eq!(world.balances().await, before, "{coin}");
        let made = refund(least).await;
        assert_eq!(made.status, 201, "{coin} {least}: {}", made.json);
        let rest = world.refund(&id, json!({"clientRefundId": "rest"})).await;
        assert_eq!(rest.status, 201, "{coin}: {}", rest.json);
        // A withdrawal has its minimum as before.
        for (amount, status) in [("0.00049999", 422), ("0.0005", 201)] {
            let fields = json!({"clientWithdrawalId": amount, "withdrawCurrency": "BTC", "network": "BTC",
                "recipientAddress": BTC, "targetAmount": amount, "withdrawalAccount": "CRYPTO"});
            assert_eq!(world.withdraw(fields).await.status.as_u16(), status, "{amount}");
        }
    }
}

/// What is not worth its fee is not offered to the payer either.
#[tokio::test]
async fn no_claim_is_offered_that_is_not_worth_its_fee() {
    for (came, offered) in [("0.00002", 0), ("0.00003", 0), ("0.0001", 1)] {
        let world = world().await;
        let payer = quoted(&world, "BTC", "BTC").await;
        world.pay(&payer.id, came).await;
        world.mine("BTC").await;
        world.advance(7200).await;
        assert_eq!(world.claims(&payer).await.len(), offered, "{came}");
        let deposit: Value = world.payment(&payer.id).await["deposits"][0]["id"].clone();
        let asked = world.claim(&payer, &json!({"claimId": deposit}), json!({"address": BTC})).await;
        assert_eq!(asked.status.is_success(), offered == 1, "{came}: {}", asked.json);
    }
}
