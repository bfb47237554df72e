use alloy_primitives::U256;
use checkout_chain_evm::Settings;
use checkout_core::Network;
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed, Vanished};
use checkout_domain::chain::finality::Finality;
use checkout_domain::ports::chain::Chain as _;
use serde_json::{Value, json};

use crate::node::{Anvil, transferCall};
use crate::view::{View, ours, output, rows, settings};

#[tokio::test]
async fn a_transfer_of_an_abandoned_block_vanishes() {
    for depth in [1, 2, 6, 40] {
        let anvil = Anvil::start();
        let token = anvil.token(6).await;
        let mut view = View::with_token(&anvil, token).await;
        anvil.send(ours(3), 9).await;
        anvil.mine(1).await;
        let native = anvil.send(ours(1), 5).await;
        anvil.call(token, transferCall { to: ours(2), value: U256::from(6) }, 0).await;
        anvil.mine(depth).await;
        view.look().await;
        let first = if depth >= 3 { Confirmed } else { Unconfirmed };
        assert_eq!(view.known.len(), 3, "{depth}");
        assert_eq!(view.known[&output(native, 0)].state, first, "{depth}");
        anvil.reorganise(depth, &[]).await;
        let news = view.look().await;
        let mut gone = rows(&news);
        gone.retain(|(_, _, state)| *state == Vanished);
        gone.sort_by_key(|(to, ..)| *to);
        assert_eq!(gone, [(1, 5, Vanished), (2, 6, Vanished)], "{depth}");
        assert_eq!(view.chain.confirmations(&output(native, 0)).await.unwrap(), 0);
        let kept = view.known.values().find(|transfer| transfer.amount.atoms() == 9).unwrap();
        assert_ne!(kept.state, Vanished, "its block stayed");
        assert!(view.look().await.is_empty());
    }
}

/// A transaction that moves to a later block keeps its output and does not vanish.
#[tokio::test]
async fn a_moved_transaction_is_the_same_transfer() {
    let anvil = Anvil::start();
    let token = anvil.token(6).await;
    let mut view = View::with_token(&anvil, token).await;
    let native = anvil.send(ours(1), 5).await;
    anvil.mine(1).await;
    let moved = anvil.call(token, transferCall { to: ours(2), value: U256::from(6) }, 0).await;
    anvil.mine(3).await;
    view.look().await;
    assert_eq!(view.known[&output(moved, 1)].state, Confirmed);
    let (native_raw, raw) = (anvil.raw(native).await, anvil.raw(moved).await);
    // Both in the second-last block, with two confirmations.
    anvil.reorganise(4, &[(native_raw, 2), (raw, 2)]).await;
    let mut news = rows(&view.look().await);
    news.sort_by_key(|(to, ..)| *to);
    assert_eq!(news, [(1, 5, Unconfirmed), (2, 6, Unconfirmed)]);
    assert_eq!(view.known.len(), 2, "no output is new");
    anvil.mine(1).await;
    let mut news = rows(&view.look().await);
    news.sort_by_key(|(to, ..)| *to);
    assert_eq!(news, [(1, 5, Confirmed), (2, 6, Confirmed)]);
}

#[tokio::test]
async fn a_reorganisation_within_the_finality_of_the_operator_is_followed() {
    let anvil = Anvil::start();
    let finality = Finality::with([(Network::Eth, 400)]);
    let mut view = View::of(Settings { finality, ..settings(&anvil) }).await;
    anvil.send(ours(1), 5).await;
    anvil.mine(300).await;
    view.look().await;
    anvil.reorganise(300, &[]).await;
    assert_eq!(rows(&view.look().await), [(1, 5, Vanished)]);
}

/// A transfer that vanished and is mined again is reported again.
#[tokio::test]
async fn a_transfer_mined_again_is_reported() {
    let anvil = Anvil::start();
    let mut view = View::of(settings(&anvil)).await;
    let hash = anvil.send(ours(1), 5).await;
    anvil.mine(1).await;
    let raw = anvil.raw(hash).await;
    view.look().await;
    anvil.reorganise(1, &[]).await;
    assert_eq!(rows(&view.look().await), [(1, 5, Vanished)]);
    anvil.ask::<Value>("eth_sendRawTransaction", json!([raw])).await;
    anvil.mine(1).await;
    assert_eq!(rows(&view.look().await), [(1, 5, Unconfirmed)]);
    assert_eq!(view.known.len(), 1);
}

/// A node that is behind makes no transfer vanish.
#[tokio::test]
async fn a_node_that_is_behind_removes_nothing() {
    let anvil = Anvil::start();
    let mut view = View::of(settings(&anvil)).await;
    anvil.mine(3).await;
    anvil.send(ours(1), 5).await;
    anvil.mine(3).await;
    view.look().await;
    let before = view.cursor.clone();
    anvil.ask::<Value>("anvil_rollback", json!([4])).await;
    assert!(view.look().await.is_empty());
    assert_eq!(view.cursor, before);
    // A different chain of the same length is a reorganisation.
    anvil.mine(4).await;
    assert_eq!(rows(&view.look().await), [(1, 5, Vanished)]);
}
