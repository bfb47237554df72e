use checkout_domain::chain::OutputState::Confirmed;
use checkout_domain::ports::chain::Chain as _;

use crate::node::Anvil;
use crate::view::{Row, View, ours, rows, settings};

/// Downtime of more blocks than one batch.
#[tokio::test]
async fn a_stored_cursor_neither_misses_nor_repeats() {
    let anvil = Anvil::start();
    let mut view = View::of(settings(&anvil)).await;
    let mut expected = Vec::new();
    for number in 1..=9 {
        anvil.send(ours(number), number.into()).await;
        anvil.mine(7).await;
        expected.push((number, u128::from(number), Confirmed));
    }
    view.restart();
    assert_eq!(rows(&view.look().await), expected);
    view.restart();
    assert!(view.look().await.is_empty());
    // Reading again from an older cursor repeats the reports and changes nothing.
    let mut again = View::of(settings(&anvil)).await;
    again.cursor = None;
    assert_eq!(rows(&again.look().await), expected[7..], "a new database starts a few blocks back");
}

#[tokio::test]
async fn an_unconfirmed_transfer_survives_a_restart() {
    let anvil = Anvil::start();
    let mut view = View::of(settings(&anvil)).await;
    anvil.send(ours(1), 5).await;
    anvil.mine(1).await;
    assert_eq!(view.look().await.len(), 1);
    anvil.mine(300).await;
    view.restart();
    assert_eq!(rows(&view.look().await), [(1, 5, Confirmed)]);
}

/// An address that was not watched when its block was read.
#[tokio::test]
async fn a_rescan_finds_missed_transfers() {
    let anvil = Anvil::start();
    let mut view = View::of(settings(&anvil)).await;
    anvil.send(ours(20), 5).await;
    anvil.mine(300).await;
    view.look().await;
    view.watch(ours(20));
    assert!(view.look().await.is_empty());
    for from in [0, 1, 300] {
        view.chain.rescan(from).await.unwrap();
        view.cursor = Some(view.chain.rescan_cursor(from, view.cursor.as_deref()).await.unwrap());
        let found = view.look().await;
        let expected: &[Row] = if from == 300 { &[] } else { &[(20, 5, Confirmed)] };
        assert_eq!(rows(&found), expected, "{from}");
    }
}
