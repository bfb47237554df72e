use alloy_primitives::U256;
use checkout_core::Currency;
use checkout_domain::chain::OutputState::Unconfirmed;

use crate::node::{Anvil, pretendCall, transferAndFailCall, transferCall, transferTwiceCall};
use crate::view::{View, ours, output, rows};

#[tokio::test]
async fn only_listed_contracts_count() {
    let anvil = Anvil::start();
    let (token, forged) = (anvil.token(6).await, anvil.token(6).await);
    let mut view = View::with_token(&anvil, token).await;
    let amount = |value: u64| U256::from(value);
    // Earlier logs of other transactions in the block must not change the index.
    anvil.call(token, transferCall { to: ours(77), value: amount(3) }, 0).await;
    let one = anvil.call(token, transferCall { to: ours(1), value: amount(5) }, 0).await;
    let two = transferTwiceCall { to: ours(2), first: amount(6), second: amount(6) };
    let two = anvil.call(token, two, 0).await;
    anvil.call(token, transferCall { to: ours(3), value: amount(0) }, 0).await;
    anvil.call(token, transferAndFailCall { to: ours(4), value: amount(9) }, 0).await;
    anvil.call(forged, transferCall { to: ours(5), value: amount(9) }, 0).await;
    anvil.call(forged, pretendCall { to: ours(6), value: amount(9) }, 0).await;
    anvil.mine(1).await;
    let news = view.look().await;
    assert_eq!(rows(&news), [(1, 5, Unconfirmed), (2, 6, Unconfirmed), (2, 6, Unconfirmed)]);
    let outputs: Vec<_> = news.iter().map(|transfer| transfer.output.clone()).collect();
    assert_eq!(outputs, [output(one, 1), output(two, 1), output(two, 2)]);
    assert!(news.iter().all(|transfer| transfer.currency == Currency::Usdt));
    assert!(news.iter().all(|transfer| transfer.from == anvil.rich.to_checksum(None)));
}
