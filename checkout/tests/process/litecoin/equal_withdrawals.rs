use std::time::Duration;

use serde_json::json;

use super::shop::Shop;
use crate::equal_requests::{self, KILLS};
use crate::support::eventually;

#[test]
fn a_hundred_equal_withdrawals_and_a_kill_pay_once() {
    for kill in KILLS {
        let shop = Shop::open("payout_wallet = \"miner\"\n[limits]\nenabled = false");
        shop.earn().stop("-TERM");

        let recipient = shop.node.address();
        let body = json!({
            "clientWithdrawalId": "w-1", "recipientAddress": recipient, "withdrawCurrency": "LTC", "network": "LTC",
            "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "0.5"
        });
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
