//! A transfer on another EVM network than the payment's: `docs/decisions/0031-coins-on-another-evm-network.md`.

use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::screening::Decision;
use checkout_gateway::service::transfers::screen_deposits;
use serde_json::{Value, json};

use super::World;
use super::flagged::the_deposit;
use super::opt_ins::{with_networks, with_networks_and};
use crate::fixture::Look as _;

/// Sends to the payment's address on another network than its own.
async fn astray(world: &World, id: &str, currency: &str, network: &str, amount: &str) {
    let address = world.payment(id).await["walletAddress"].clone();
    let body = json!({"network": network, "currency": currency, "address": address, "amount": amount});
    world.sandbox("transfers", body).await;
    world.mine(network).await;
}

/// An address is the same account on every EVM network: what arrives on another one than the payment's pays it, whether the
/// business takes that pair or not.
#[tokio::test]
async fn a_transfer_on_the_wrong_evm_network_pays() {
    for taken in ["", "USDC,USDC/POLYGON,USDC/BASE"] {
        let world = with_networks(taken).await;
        for (at, network) in ["POLYGON", "BASE", "ARBITRUM", "BSC", "ETH"].into_iter().enumerate() {
            let quoted = if network == "ETH" { "BSC" } else { "ETH" };
            let (id, _) = world.quoted(json!({"clientPaymentId": format!("{at}")}), "USDC", quoted).await;
            let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
            astray(&world, &id, "USDC", network, &amount).await;
            let payment = world.payment(&id).await;
            assert_eq!(payment["status"], "DEPOSITED", "{quoted}, paid on {network}: {payment:#}");
            assert_eq!(payment["actualDepositAmount"], amount, "{network}");
            assert_eq!(payment["deposits"].as_array().unwrap().len(), 1);
        }
    }
}

/// Another coin on another network is valued when it arrives if the business takes that pair, and is held if not.
#[tokio::test]
async fn another_coin_on_the_wrong_evm_network_is_held_unless_it_is_taken() {
    for (taken, hold) in [("USDC", json!("CURRENCY")), ("USDC,ETH/BASE", Value::Null)] {
        let world = with_networks(taken).await;
        let (id, _) = world.quoted(json!({}), "USDC", "ETH").await;
        // 100 EUR by the sandbox's rates, and a little.
        astray(&world, &id, "ETH", "BASE", "0.034").await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["deposits"][0]["hold"], hold, "{taken}: {payment:#}");
        let expected = if hold.is_null() { "OVERPAID" } else { "PENDING" };
        assert_eq!(payment["status"], expected, "{taken}: {payment:#}");
    }
    assert!(!Currency::Eth.spec().opt_in);
}

/// A wrapped form can be worth less than the coin. Only a business that takes its pair is paid in it; the coin itself pays instead of
/// its wrapped form.
#[tokio::test]
async fn a_wrapped_form_of_the_coin_is_held_unless_it_is_taken() {
    for (taken, quoted, sent, hold) in [
        ("", "USDT/ETH", "USDT/POLYGON", Some("NETWORK")),
        ("", "USDT/ETH", "USDT/ARBITRUM", Some("NETWORK")),
        ("", "USDT/ETH", "USDT/BSC", None),
        ("USDT/ETH", "USDT/ETH", "USDT/BSC", Some("NETWORK")),
        ("ETH/ETH", "ETH/ETH", "ETH/BSC", Some("NETWORK")),
        ("USDT,USDT/POLYGON", "USDT/ETH", "USDT/POLYGON", None),
        ("USDT/POLYGON", "USDT/POLYGON", "USDT/ARBITRUM", Some("NETWORK")),
        ("USDT/BSC", "USDT/BSC", "USDT/ETH", None),
        ("USDC/ETH", "USDC/ETH", "USDC/BASE", None),
        ("ETH/ETH", "ETH/ETH", "ETH/ARBITRUM", None),
    ] {
        let world = with_networks(taken).await;
        let pair = |text: &'static str| text.split_once('/').unwrap();
        let ((currency, network), (_, elsewhere)) = (pair(quoted), pair(sent));
        let (id, _) = world.quoted(json!({}), currency, network).await;
        let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        astray(&world, &id, currency, elsewhere, &amount).await;
        let case = format!("{taken}: {quoted}, paid with {sent}");
        let payment = world.payment(&id).await;
        assert_eq!(payment["deposits"][0]["hold"].as_str(), hold, "{case}");
        assert_eq!(payment["status"], if hold.is_some() { "PENDING" } else { "DEPOSITED" }, "{case}");
        let Some(reason) = hold else { continue };
        let listed = world.get("/api/v1/deposits?held=true", &world.token).await.json;
        assert_eq!(
            (&listed[0]["heldFor"], &listed[0]["network"]),
            (&json!(reason), &json!(elsewhere)),
            "{case}"
        );
        let (held, chain) = (format!("HELD {currency}"), format!("CHAIN {currency}"));
        World::check_balances(&world.balances().await, &[(&chain, &format!("-{amount}")), (&held, &amount)]);

        let deposit = the_deposit(&payment);
        screen_deposits::decide(&world.database, deposit, Decision::Release).await.unwrap();
        screen_deposits::run(&world.app).await.unwrap();
        let payment = world.payment(&id).await;
        assert_eq!(
            (&payment["status"], &payment["actualDepositAmount"]),
            (&json!("DEPOSITED"), &json!(amount))
        );
    }
}

/// Half on the quoted network and half on another one are the whole.
#[tokio::test]
async fn parts_on_two_networks_pay_together() {
    let world = with_networks("").await;
    let (id, _) = world.quoted(json!({"displayAmount": "92.00"}), "USDC", "ETH").await;
    assert_eq!(world.payment(&id).await["expectedDepositAmount"], "100");
    for (network, amount, status) in
        [("ETH", "30.5", "AWAITING"), ("BSC", "19.5", "AWAITING"), ("POLYGON", "50", "DEPOSITED")]
    {
        astray(&world, &id, "USDC", network, amount).await;
        assert_eq!(world.payment(&id).await["status"], status, "{network}");
    }
    assert_eq!(world.payment(&id).await["actualDepositAmount"], "100");
}

/// The same order paid on two networks: what came second goes back, on its own network.
#[tokio::test]
async fn a_refund_leaves_on_the_network_of_its_deposit() {
    let settings =
        Settings { refund_excess: Some(true), refund_follow_ups: Some(true), ..Settings::default() };
    let world = with_networks_and("", settings).await;
    let (id, _) = world.quoted(json!({}), "USDC", "ETH").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    for network in ["BASE", "ETH"] {
        astray(&world, &id, "USDC", network, &amount).await;
    }
    world.run().await;
    let payment = world.payment(&id).await;
    let refunds: Vec<&Value> =
        payment["deposits"].as_array().unwrap().iter().map(|one| &one["refund"]).collect();
    assert_eq!(
        (refunds[0], &refunds[1]["reason"]),
        (&Value::Null, &json!("FOLLOW_UP_DEPOSIT")),
        "{payment:#}"
    );
    let sent = world.database.texts(
        "SELECT network, address FROM sim_transfers WHERE transaction_id IN (SELECT transaction_id FROM payouts)",
    );
    let sender = payment["deposits"][1]["fromAddress"].as_str().unwrap();
    assert_eq!(sent.await, [[Some("ETH".to_owned()), Some(sender.to_owned())]]);
}

/// The merchant gives back what came on a network that the business does not take, on that network and no other one.
#[tokio::test]
async fn a_merchant_refunds_a_deposit_of_a_network_that_the_business_does_not_take() {
    let settings = Settings { settlement_crypto: Some(Some(Currency::Usdc)), ..Settings::default() };
    let world = with_networks_and("", settings).await;
    let (float, _) =
        world.quoted(json!({"clientPaymentId": "float", "displayAmount": "1000"}), "USDC", "ETH").await;
    let amount = world.payment(&float).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    astray(&world, &float, "USDC", "ETH", &amount).await;
    let (id, _) = world.quoted(json!({}), "USDC", "ETH").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    astray(&world, &id, "USDC", "ARBITRUM", &amount).await;
    let sender = world.payment(&id).await["deposits"][0]["fromAddress"].clone();
    let elsewhere = world.refund(&id, json!({"network": "ETH", "currency": "USDC", "address": sender})).await;
    assert_eq!(elsewhere.status, 422, "{}", elsewhere.json);
    let refund = world.refunded(&id, json!({"address": sender})).await;
    assert_eq!((&refund["network"], &refund["amount"]), (&json!("ARBITRUM"), &json!(amount)));
    world.run().await;
    world.mine("ARBITRUM").await;
    world.run().await;
    assert_eq!(world.refund_now(&refund).await["status"], "CONFIRMED");
}

/// What another network takes back is unpaid, and pays again when it returns; the payment's own network has no part in it.
#[tokio::test]
async fn a_reorganisation_of_the_other_network_unpays() {
    let world = with_networks("").await;
    let (id, _) = world.quoted(json!({}), "USDC", "ETH").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    astray(&world, &id, "USDC", "POLYGON", &amount).await;
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
    world.sandbox("reorgs", json!({"network": "POLYGON", "depth": 1})).await;
    let payment = world.payment(&id).await;
    assert_eq!((&payment["status"], &payment["actualDepositAmount"]), (&json!("AWAITING"), &json!("0")));
    world.mine("POLYGON").await;
    let payment = world.payment(&id).await;
    assert_eq!(
        (&payment["status"], &payment["deposits"].as_array().unwrap().len()),
        (&json!("DEPOSITED"), &1)
    );
}

/// The page names the network on which the coins came.
#[tokio::test]
async fn the_payer_is_told_the_network_of_the_transfer() {
    let world = with_networks("").await;
    for (currency, sent) in [("USDC", "BASE"), ("USDT", "POLYGON")] {
        let (id, session) = world.quoted(json!({"clientPaymentId": sent}), currency, "ETH").await;
        astray(&world, &id, currency, sent, "20").await;
        let view = world.get(&format!("/api/v1/checkout/{id}"), &session).await.json;
        assert_eq!(view["payment"]["expectedNetwork"], "ETH");
        assert_eq!(view["transfers"][0]["network"], sent, "{view:#}");
    }
}
