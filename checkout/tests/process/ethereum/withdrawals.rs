//! Withdrawals on anvil that are paid once: after kills, and after their transaction was replaced.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ACCOUNT, Shop, payment, wait, wait_for};
use crate::equal_requests::{self, KILLS};
use crate::gateway::{Gateway, run};

const RECIPIENT: &str = "0x0000000000000000000000000000000000001001";

impl Shop {
    /// Pays the merchant 4,000 euros, and the account of payouts 10 ETH.
    pub(super) fn earn(&self) -> Gateway {
        self.anvil.pay(ACCOUNT, "10");
        let gateway = self.start();
        let (id, address, amount) = payment(&gateway, "order-1", "4000");
        self.anvil.pay(&address, &amount);
        self.anvil.mine(3);
        wait_for(&gateway, &id, "DEPOSITED");
        gateway.until_all_is_final();
        gateway
    }

    fn list(&self, command: [&str; 2]) -> Vec<Value> {
        let listed = run(&[command[0], command[1], "--json", "--database", &self.database()]);
        serde_json::from_slice(&listed.stdout).unwrap()
    }
}

fn withdrawal() -> Value {
    json!({
        "clientWithdrawalId": "w-1", "withdrawCurrency": "ETH", "network": "ETH", "recipientAddress": RECIPIENT,
        "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "0.02",
        "withdrawalAccount": "FIAT",
    })
}

#[test]
fn a_hundred_equal_withdrawals_and_a_kill_pay_once() {
    for kill in KILLS {
        let shop = Shop::open();
        shop.earn().stop("-TERM");
        equal_requests::to_a_dying_gateway(shop.try_start(Some(kill)), &withdrawal());
        let gateway = shop.start();
        equal_requests::to_the_next_gateway(&gateway, &withdrawal());
        wait("the withdrawal", || {
            shop.anvil.mine(1);
            (shop.anvil.sent(ACCOUNT) > 0).then_some(())
        });
        for _ in 0..4 {
            shop.anvil.mine(1);
            std::thread::sleep(Duration::from_millis(500));
        }
        assert_eq!((shop.anvil.sent(ACCOUNT), shop.anvil.balance(RECIPIENT).as_str()), (1, "0.02"), "{kill}");
    }
}

/// The base fee rises above what the transaction pays.
#[test]
fn a_stuck_withdrawal_is_replaced_and_paid_once() {
    let shop = Shop::open_with("replace_after_seconds = 2");
    let gateway = shop.earn();
    gateway.post("/api/v1/withdrawals", &withdrawal());
    let told = |kind: &str| shop.list(["callbacks", "list"]).iter().filter(|row| row["kind"] == kind).count();
    wait("the first transaction", || (told("WITHDRAWAL") == 1).then_some(()));
    shop.anvil.ask("anvil_setNextBlockBaseFeePerGas", &json!(["0xba43b7400"])); // 50 gwei
    shop.anvil.mine(1);
    assert_eq!(shop.anvil.sent(ACCOUNT), 0, "it is stuck");
    let transactions = wait("the replacement", || {
        let pending = shop.list(["payouts", "pending"]);
        let transactions = pending[0]["transactionIds"].as_array().unwrap().clone();
        (transactions.len() > 1).then_some(transactions)
    });
    assert_eq!(told("WITHDRAWAL_REPLACED"), 0, "nothing is confirmed");
    wait("the withdrawal", || {
        shop.anvil.mine(1);
        std::thread::sleep(Duration::from_millis(300));
        (told("WITHDRAWAL_REPLACED") == 1).then_some(())
    });
    assert!(shop.list(["payouts", "pending"]).is_empty());
    assert_eq!((shop.anvil.sent(ACCOUNT), shop.anvil.balance(RECIPIENT).as_str()), (1, "0.02"));
    let first = shop.anvil.ask("eth_getTransactionReceipt", &json!([transactions[0]]));
    assert!(first.is_null(), "the first is never mined: {first}");
}
