//! The node comes back without the wallet that watches deposits.

use serde_json::Value;

use super::shop::{Coin, Shop};
use crate::support::eventually;

/// Nobody runs a command: what was paid meanwhile is found by itself.
pub(super) fn a_lost_wallet_is_searched_and_readiness_says_so(coin: &'static Coin) {
    let mut shop = Shop::open(coin, "");
    let gateway = shop.gateway();
    let (first, address, amount) = shop.order(&gateway, "order-1", "40");
    shop.node.send(&address, &amount);
    shop.node.mine(1);
    eventually("the payment is paid", || gateway.payment(&first)["status"] == "DEPOSITED");
    let (second, address, amount) = shop.order(&gateway, "order-2", "80");

    shop.node.stop();
    eventually("the gateway is not ready", || gateway.call("GET", "/readyz", &Value::Null).0 == 503);
    gateway.stop("-KILL");
    shop.node.forget_wallet("checkout-deposits");
    shop.node.run();
    shop.node.send(&address, &amount);
    shop.node.mine(3);
    let gateway = shop.gateway();
    eventually("readiness says what is searched", || {
        let (status, answer) = gateway.call("GET", "/readyz", &Value::Null);
        let is_paid = gateway.payment(&second)["status"] == "DEPOSITED";
        is_paid || (status == 503 && answer["detail"].as_str().unwrap().contains("blocks are missing"))
    });
    eventually("what was paid meanwhile counts", || gateway.payment(&second)["status"] == "DEPOSITED");
    eventually("the network is back", || gateway.call("GET", "/readyz", &Value::Null).0 == 200);
    assert_eq!(gateway.payment(&first)["deposits"].as_array().unwrap().len(), 1);
    eventually("each deposit has its callback", || shop.inbox.count() == 2);
}
