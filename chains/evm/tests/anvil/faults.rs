use std::collections::BTreeMap;

use checkout_chain_evm::Settings;
use checkout_core::Currency;
use checkout_domain::chain::OutputState::Unconfirmed;
use checkout_domain::chain::source::{Check, Level};
use checkout_domain::ports::chain::Chain as _;

use crate::node::Anvil;
use crate::view::{View, ours, output, rows, settings};

fn faults(checks: &[Check]) -> Vec<&'static str> {
    checks.iter().filter(|check| check.level == Level::Fault).map(|check| check.subject).collect()
}

#[tokio::test]
async fn an_unreachable_node_is_an_error_and_changes_nothing() {
    let mut anvil = Anvil::start();
    let mut view = View::of(settings(&anvil)).await;
    assert_eq!(faults(&view.chain.health().await), [""; 0], "{:?}", view.chain.health().await);
    let hash = anvil.send(ours(1), 5).await;
    anvil.mine(1).await;
    assert_eq!(rows(&view.look().await), [(1, 5, Unconfirmed)]);
    anvil.kill();
    assert!(view.try_look().await.is_err());
    assert!(
        view.chain.confirmations(&output(hash, 0)).await.is_err(),
        "the number of confirmations is unknown, not zero"
    );
    assert_eq!(faults(&view.chain.health().await), ["connection"]);
}

#[tokio::test]
async fn another_chain_is_refused() {
    let anvil = Anvil::start();
    let mut view = View::of(settings(&anvil)).await;
    view.settings.chain_id = 1;
    view.restart();
    view.cursor = None;
    assert!(view.try_look().await.unwrap_err().to_string().contains("chain 31337, and 1 is configured"));
    assert_eq!(faults(&view.chain.health().await), ["network"]);
}

/// A database of one test network must not be used with another one.
#[tokio::test]
async fn another_database_is_refused() {
    let (one, other) = (Anvil::start(), Anvil::start_with(&["--chain-id", "5"]));
    let mut view = View::of(settings(&one)).await;
    view.settings = Settings { chain_id: 5, ..settings(&other) };
    view.restart();
    assert!(view.try_look().await.unwrap_err().to_string().contains("used with chain 31337"));
    // The same chain id, but another chain.
    let other = Anvil::start_with(&["--timestamp", "1700000000"]);
    one.mine(40).await;
    other.mine(60).await;
    let mut view = View::of(settings(&one)).await;
    view.settings = settings(&other);
    view.restart();
    assert!(view.try_look().await.unwrap_err().to_string().contains("it is on another chain"));
}

#[tokio::test]
async fn wrong_tokens_are_found() {
    let anvil = Anvil::start();
    let token = anvil.token(18).await;
    let view = View::with_token(&anvil, token).await;
    let checks = view.chain.health().await;
    assert_eq!(faults(&checks), ["token"]);
    assert!(checks.iter().any(|check| check.detail.contains("has 18 decimals instead of 6")), "{checks:?}");
    let tokens = BTreeMap::from([(Currency::Usdc, ours(1))]);
    let view = View::of(Settings { tokens, ..settings(&anvil) }).await;
    assert_eq!(faults(&view.chain.health().await), ["token"]);
}
