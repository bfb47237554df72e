//! Networks whose newest blocks have only a sequencer's word, and whose data costs a fee on Ethereum.

use alloy_primitives::U256;
use checkout_chain_evm::l1_fee::ORACLE;
use checkout_chain_evm::{ConfirmedBy, Settings};
use checkout_core::{Currency, Decimal, Network, pair};
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed};
use checkout_domain::chain::payout::Payout;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Unsent};
use checkout_domain::ports::chain::Chain as _;
use serde_json::{Value, json};

use crate::node::{Anvil, CHAIN, ETHER};
use crate::payouts::{Sender, payout};
use crate::view::{View, ours, rows};

fn on(network: Network, anvil: &Anvil) -> Settings {
    Settings { chain_id: CHAIN, ..Settings::new(network, anvil.url.clone()) }
}

/// anvil's safe block is an epoch behind the newest, and its finalized block two.
#[tokio::test]
async fn a_deposit_is_confirmed_once_its_block_has_the_tag_of_the_network() {
    for (network, change, depth) in [
        (Network::Arbitrum, None, 4),
        (Network::Base, None, 4),
        (Network::Base, Some(ConfirmedBy::Finalized), 8),
        (Network::Base, Some(ConfirmedBy::Latest), 0),
    ] {
        let anvil = Anvil::start_with(&["--slots-in-an-epoch", "4"]);
        let mut settings = on(network, &anvil);
        settings.confirmed_by = change.unwrap_or(settings.confirmed_by);
        let mut view = View::of(settings).await;
        anvil.mine(10).await;
        view.look().await;
        anvil.send(ours(1), ETHER).await;
        anvil.mine(1).await;
        let first = if depth == 0 { Confirmed } else { Unconfirmed };
        assert_eq!(rows(&view.look().await), [(1, ETHER.into(), first)], "{network} {change:?}");
        for blocks in 1..=depth {
            anvil.mine(1).await;
            view.restart();
            let told: Vec<_> = view.look().await.iter().map(|transfer| transfer.state).collect();
            let expected: &[_] = if blocks == depth { &[Confirmed] } else { &[] };
            assert_eq!(told, expected, "{network} {change:?}, {blocks} blocks later");
        }
        assert!(view.look().await.is_empty());
        let health = view.chain.health().await;
        let told = health.iter().find(|check| check.subject == "confirmation");
        assert_eq!(told.is_some(), depth > 0, "{health:?}");
    }
}

/// The oracle of the OP Stack as a contract that always says a thousandth of an ether.
async fn set_l1_fee(anvil: &Anvil) {
    let code = format!("0x7f{:064x}5f5260205ff3", ETHER / 1_000);
    anvil.ask::<Value>("anvil_setCode", json!([ORACLE, code])).await;
}

fn on_base(atoms: u128) -> Payout {
    let pair = pair::find(Currency::Eth, Network::Base).unwrap();
    Payout { pair, ..payout(Currency::Eth, ours(1), atoms) }
}

async fn sender(network: Network) -> Sender {
    let anvil = Anvil::start();
    set_l1_fee(&anvil).await;
    Sender::of(anvil, |settings| {
        *settings = Settings { chain_id: CHAIN, ..Settings::new(network, settings.url.clone()) }
    })
    .await
}

#[tokio::test]
async fn a_refund_on_base_pays_for_its_data_on_ethereum() {
    let fee = async |network| sender(network).await.broadcaster.fee(&on_base(5)).await.unwrap().unwrap();
    let (base, arbitrum) = (fee(Network::Base).await, fee(Network::Arbitrum).await);
    // A quarter more than the oracle says, until the refund is sent.
    assert_eq!(base - arbitrum, Decimal::new(125, 5), "gas includes the data on Arbitrum");
}

#[tokio::test]
async fn a_payout_on_base_waits_until_the_account_can_pay_for_its_data() {
    let sender = sender(Network::Base).await;
    let eighth = u128::from(ETHER / 8);
    // What gas costs at most, the amount, and the fee for data once: too little if that rises.
    sender.fund(eighth + u128::from(ETHER / 1_000)).await;
    match sender.broadcaster.sign(&on_base(eighth)).await {
        Err(Unsent::Unavailable(error)) => assert!(error.to_string().contains("and needs 0.127"), "{error}"),
        other => panic!("{other:?}"),
    }
    sender.fund(eighth + u128::from(ETHER / 100)).await;
    let signed = sender.sign(&on_base(eighth)).await;
    sender.broadcaster.broadcast(&signed).await.unwrap();
    sender.anvil.mine(1).await;
    assert_eq!(sender.balance(ours(1)).await, U256::from(eighth));
}
