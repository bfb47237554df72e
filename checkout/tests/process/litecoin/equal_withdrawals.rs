use std::time::Duration;

use super::shop::{Coin, Shop};
use crate::equal_requests::{self, KILLS};
use crate::support::eventually;

pub(super) fn a_hundred_equal_withdrawals_and_a_kill_pay_once(coin: &'static Coin) {
    for kill in KILLS {
        let shop = Shop::open(coin, "payout_wallet = \"miner\"\n[limits]\nenabled = false");
        shop.earn().stop("-TERM");

        let recipient = shop.node.payee();
        let body = shop.withdrawal("w-1", &recipient, "0.5");
        equal_requests::to_a_dying_gateway(shop.gateway_until(kill), &body);
        let gateway = shop.gateway();
        equal_requests::to_the_next_gateway(&gateway, &body);
        let received = || shop.node.received(&recipient);
        eventually("it is sent", || !received().is_empty());
        for _ in 0..4 {
            shop.node.mine(1);
            std::thread::sleep(Duration::from_millis(500));
        }
        assert_eq!(received(), ["0.50000000"], "{kill}");
    }
}
