use std::time::Duration;

use super::shop::{Coin, Shop};
use crate::support::eventually;

/// The gateway dies before it sends a withdrawal, and meanwhile the node raises its minimum above the fee.
pub(super) fn a_withdrawal_that_no_memory_pool_took_is_replaced_and_paid_once(coin: &'static Coin) {
    let mut shop = Shop::open(coin, "payout_wallet = \"miner\"\nreplace_after_seconds = 2");
    shop.earn().stop("-TERM");
    let recipient = shop.node.payee();
    let body = shop.withdrawal("w-1", &recipient, "0.5");
    let mut gateway = shop.gateway_until("broadcast.before/1");
    // The first rates arrive a moment after the start.
    eventually("it is signed", || {
        gateway.try_call("POST", "/api/v1/withdrawals", &body);
        !gateway.is_running()
    });
    shop.node.restart_with("-minrelaytxfee=0.0006");

    let told = shop.inbox.count();
    let _gateway = shop.gateway();
    let received = || shop.node.received(&recipient);
    eventually("the replacement is sent", || !received().is_empty());
    eventually("the callback arrives", || shop.inbox.count() > told);
    for _ in 0..3 {
        shop.node.mine(1);
        std::thread::sleep(Duration::from_millis(500));
    }
    assert_eq!(received(), ["0.50000000"]);
    assert_eq!(shop.inbox.count(), told + 1, "one callback");
}
