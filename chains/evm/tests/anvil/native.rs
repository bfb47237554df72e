use checkout_core::Currency;
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed};
use checkout_domain::ports::chain::Chain as _;
use serde_json::{Value, json};

use crate::node::{Anvil, ETHER};
use crate::view::{View, ours, output, rows, settings};

#[tokio::test]
async fn a_transfer_is_seen_and_confirmed() {
    let anvil = Anvil::start();
    let mut view = View::of(settings(&anvil)).await;
    let hash = anvil.send(ours(1), ETHER).await;
    anvil.send(ours(77), ETHER).await;
    anvil.send(ours(2), 0).await;
    assert!(view.look().await.is_empty(), "it is not in a block yet");
    anvil.mine(1).await;
    let news = view.look().await;
    assert_eq!(rows(&news), [(1, ETHER.into(), Unconfirmed)]);
    let block: Value = anvil.ask("eth_getBlockByNumber", json!(["latest", false])).await;
    let receipt: Value = anvil.ask("eth_getTransactionReceipt", json!([hash])).await;
    let number = |value: &Value| u128::from_str_radix(&value.as_str().unwrap()[2..], 16).unwrap();
    let fee = number(&receipt["gasUsed"]) * number(&receipt["effectiveGasPrice"]);
    let transfer = &news[0];
    assert_eq!(transfer.output, output(hash, 0));
    assert_eq!((transfer.currency, transfer.uncertain), (Currency::Eth, false));
    assert_eq!(transfer.from, anvil.rich.to_checksum(None));
    assert_eq!(u128::from(transfer.seen_at), number(&block["timestamp"]));
    assert_eq!(transfer.fee, checkout_core::Amount::from_atoms(fee).unwrap().to_text(18));

    assert!(view.look().await.is_empty(), "nothing happened");
    for (blocks, expected) in [(2, None), (3, Some(Confirmed)), (4, None)] {
        anvil.mine(1).await;
        let states: Vec<_> = view.look().await.iter().map(|transfer| transfer.state).collect();
        assert_eq!(states.first().copied(), expected, "{blocks}");
        assert_eq!(view.chain.confirmations(&output(hash, 0)).await.unwrap(), blocks);
    }
    let tip = view.chain.tip().await.unwrap();
    assert_eq!(tip.height, anvil.height().await);
}

#[tokio::test]
async fn one_confirmation_is_enough_if_one_is_required() {
    let anvil = Anvil::start();
    let settings = checkout_chain_evm::Settings { confirmations: 1, ..settings(&anvil) };
    let mut view = View::of(settings).await;
    anvil.send(ours(1), 5).await;
    anvil.mine(1).await;
    assert_eq!(rows(&view.look().await), [(1, 5, Confirmed)]);
}
