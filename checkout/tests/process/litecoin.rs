//! The gateway with real nodes, `litecoind` and `bitcoind` on regtest, started by these tests. Payments, reorganisations,
//! withdrawals, a node that stops, and `kill -9` at random moments.

mod equal_withdrawals;
mod esplora;
mod lost_wallet;
mod never_taken;
mod restored;
mod shop;

use std::time::Duration;

use checkout_test_nodes::MINER;
use serde_json::{Value, json};

use self::shop::{ACCOUNT, BITCOIN, Coin, LITECOIN, Shop};
use crate::gateway::run;
use crate::show;
use crate::support::{eventually, wait_or};

/// Each runs on both nodes.
macro_rules! on_both_nodes {
    ($($test:path => $name:ident),* $(,)?) => {
        mod on_litecoind {
            $(#[test]
            fn $name() {
                $test(&super::LITECOIN);
            })*
        }

        mod on_bitcoind {
            $(#[test]
            fn $name() {
                $test(&super::BITCOIN);
            })*
        }
    };
}

on_both_nodes! {
    super::a_payment_and_a_reorganisation => a_payment_and_a_reorganisation,
    super::reorganisations_unpay_and_pay_again => reorganisations_unpay_and_pay_again,
    super::a_double_spend_removes_the_deposit => a_double_spend_removes_the_deposit,
    super::a_withdrawal_is_sent_once => a_withdrawal_is_sent_once,
    super::equal_withdrawals::a_hundred_equal_withdrawals_and_a_kill_pay_once => a_hundred_equal_withdrawals_and_a_kill_pay_once,
    super::never_taken::a_withdrawal_that_no_memory_pool_took_is_replaced_and_paid_once =>
        a_withdrawal_that_no_memory_pool_took_is_replaced_and_paid_once,
    super::lost_wallet::a_lost_wallet_is_searched_and_readiness_says_so => a_lost_wallet_is_searched_and_readiness_says_so,
    super::kill_9_at_random_moments => kill_9_at_random_moments,
}

/// Rounds of [`kill_9_at_random_moments`].
const ROUNDS: u64 = 12;

fn a_payment_and_a_reorganisation(coin: &'static Coin) {
    let shop = Shop::open(coin, "");
    let gateway = shop.gateway();
    let checks = run(&["chains", "check", "--config", shop.config()]);
    let said = String::from_utf8(checks.stdout).unwrap();
    let network = format!("{0}  ok       network        {0} regtest", coin.code);
    assert!(checks.status.success() && said.contains(&network), "{said}");

    let (id, address, amount) = shop.order(&gateway, "order-1", "40");
    assert!(address.starts_with(coin.prefix), "an address of the network in use: {address}");
    assert!(said.contains(&format!("the first address is {address}")), "{said}");
    assert!(said.contains("as pkh(…) the first address would be n1LKej"), "{said}");
    assert_eq!(amount, "0.5");
    let transaction = shop.node.send(&address, &amount);
    eventually("the transfer is seen", || gateway.payment(&id)["status"] == "AWAITING");
    let deposit = gateway.payment(&id)["deposits"][0].clone();
    assert_eq!((&deposit["transactionId"], &deposit["status"]), (&json!(transaction), &json!("UNCONFIRMED")));
    assert!(deposit["fromAddress"].as_str().unwrap().starts_with(coin.prefix), "{deposit}");
    assert_ne!(deposit["onChainFee"], "0", "{deposit}");
    assert_eq!(shop.inbox.count(), 0, "instant deposits are off");

    shop.confirm_twice(&gateway, &id);
    let payment = gateway.payment(&id);
    assert_eq!(
        (payment["deposits"].as_array().unwrap().len(), &payment["actualDepositAmount"]),
        (1, &json!("0.5"))
    );
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(shop.inbox.count(), 1, "one callback per deposit");
}

#[test]
fn the_hosted_page_shows_an_address_of_the_test_network_and_says_so() {
    let shop = Shop::open(&LITECOIN, "");
    let gateway = shop.gateway();
    // The first rates have arrived then.
    shop.order(&gateway, "order-1", "40");
    let body = json!({
        "clientPaymentId": "order-2", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "40"
    });
    let created = gateway.post("/api/v1/payments", &body);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap();
    let (status, chosen) =
        gateway.call("PATCH", &format!("/api/v1/payments/{id}"), &json!({"depositCurrency": "LTC"}));
    assert_eq!(status, 200, "{chosen}");
    let address = chosen["paymentInfo"]["walletAddress"].as_str().unwrap();
    let url = created["paymentUrl"].as_str().unwrap();
    let page = gateway.text(&url[url.find("/checkout/").unwrap()..]);
    assert!(address.starts_with("rltc1q") && page.contains(address), "{page}");
    assert!(page.contains("Test network (regtest): its coins have no value"), "{page}");
}

/// Each deposit has one callback, however deep the block of its transfer was.
fn reorganisations_unpay_and_pay_again(coin: &'static Coin) {
    let shop = Shop::open(coin, "");
    let gateway = shop.gateway();
    for (count, depth) in (1..).zip([1, 2, 6]) {
        let (id, address, amount) = shop.order(&gateway, &format!("order-{depth}"), "40");
        let status = |expected: &str| gateway.payment(&id)["status"] == expected;
        let transaction = shop.node.send(&address, &amount);
        shop.node.mine(depth);
        let is_paid = || status("DEPOSITED").then_some(());
        wait_or("the payment is paid", is_paid, || {
            let sent = shop.node.call(MINER, "gettransaction", &json!([transaction]));
            let pool = shop.node.call("", "getrawmempool", &json!([]));
            let watched = shop.node.watched(&address);
            let payment = gateway.payment(&id);
            format!("depth {depth}, sent {sent}, memory pool {pool}, watched {watched:?}, payment {payment}")
        });
        eventually("the callback arrives", || shop.inbox.count() == count);
        shop.node.reorganise(depth.into());
        eventually("the reorganisation removes the confirmation", || status("AWAITING"));
        shop.node.mine(1);
        eventually("the next block confirms it again", || status("DEPOSITED"));
        assert_eq!(gateway.payment(&id)["actualDepositAmount"], json!(amount));
    }
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(shop.inbox.count(), 3, "one callback per deposit");
}

/// Nothing in the transfer said that it can be replaced: Bitcoin Core takes the higher fee by default since version 28.
#[test]
fn a_replacement_without_a_signal_removes_the_deposit() {
    let shop = Shop::open(&BITCOIN, "");
    let gateway = shop.gateway();
    let (id, address, amount) = shop.order(&gateway, "order-1", "40");
    let coin = shop.node.coin();
    shop.node.spend_finally(&coin, &address, amount.parse().unwrap(), 0.0001);
    eventually("the transfer is seen", || gateway.payment(&id)["status"] == "AWAITING");
    shop.node.spend(&coin, &shop.node.address(), "0.4");
    eventually("the deposit is removed", || gateway.payment(&id)["status"] == "PENDING");
    shop.node.mine(2);
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!((&gateway.payment(&id)["status"], shop.inbox.count()), (&json!("PENDING"), 0));
}

/// The payer replaces the transfer by one to another recipient.
fn a_double_spend_removes_the_deposit(coin: &'static Coin) {
    let shop = Shop::open(coin, "");
    let gateway = shop.gateway();
    let (id, address, amount) = shop.order(&gateway, "order-1", "40");
    let other = shop.node.address();
    let coin = shop.node.coin();
    let pay = |to: &str, amount: &str| shop.node.spend(&coin, to, amount);
    pay(&address, &amount);
    eventually("the transfer is seen", || gateway.payment(&id)["status"] == "AWAITING");
    pay(&other, "0.4");
    eventually("the deposit is removed", || gateway.payment(&id)["status"] == "PENDING");
    shop.node.mine(2);
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!((&gateway.payment(&id)["status"], shop.inbox.count()), (&json!("PENDING"), 0));
}

/// Repeated requests, and a process that dies between them: one transaction on the chain.
fn a_withdrawal_is_sent_once(coin: &'static Coin) {
    let shop = Shop::open(coin, "payout_wallet = \"miner\"");
    let gateway = shop.earn();
    let recipient = shop.node.payee();
    let body = shop.withdrawal("w-1", &recipient, "0.5");
    let main = json!({"recipientAddress": coin.main});
    let wrong = merged(&body, &main);
    let (status, problem) = gateway.call("POST", "/api/v1/withdrawals", &wrong);
    assert_eq!((status, &problem["errors"][0]["code"]), (422, &json!("bad_address")), "{problem}");
    for _ in 0..5 {
        let (status, answer) = gateway.call("POST", "/api/v1/withdrawals", &body);
        assert!(status < 300, "{status} {answer}");
    }
    gateway.stop("-KILL");
    let gateway = shop.gateway();
    assert_eq!(gateway.call("POST", "/api/v1/withdrawals", &body).0, 200);
    let received = || shop.node.received(&recipient);
    eventually("the withdrawal is in the memory pool", || received().len() == 1);
    eventually("the callback arrives", || {
        shop.inbox.bodies().iter().any(|body| body["status"] == "COMPLETED")
    });
    shop.node.mine(1);
    shop.node.reorganise(1);
    shop.node.mine(1);
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(received(), ["0.50000000"], "one transaction, also after a reorganisation");
}

#[test]
fn a_stopped_node_is_reported_and_no_transfer_is_missed() {
    let mut shop = Shop::open(&LITECOIN, "");
    let gateway = shop.gateway();
    let (id, address, amount) = shop.order(&gateway, "order-1", "40");
    let ready = |expected: u16| {
        let (status, answer) = gateway.call("GET", "/readyz", &Value::Null);
        (status == expected).then_some(answer)
    };
    assert!(ready(200).is_some());
    shop.node.stop();
    eventually("the gateway is not ready", || ready(503).is_some());
    let said = ready(503).unwrap();
    assert_eq!(said["code"], "no_network");
    assert!(said["detail"].as_str().unwrap().starts_with("LTC: "), "{said}");
    let body = json!({"clientPaymentId": "order-2", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "40"});
    let created = gateway.post("/api/v1/payments", &body);
    let other = created["paymentInfo"]["paymentId"].as_str().unwrap();
    let (status, problem) =
        gateway.call("PATCH", &format!("/api/v1/payments/{other}"), &json!({"depositCurrency": "LTC"}));
    assert_eq!(status, 503, "{problem}");

    gateway.stop("-KILL");
    shop.node.run();
    shop.node.send(&address, &amount);
    shop.node.mine(3);
    let gateway = shop.gateway();
    eventually("the transfer during downtime counts", || gateway.payment(&id)["status"] == "DEPOSITED");
    eventually("the network is back", || gateway.call("GET", "/readyz", &Value::Null).0 == 200);
}

#[test]
fn the_gateway_does_not_start_on_the_wrong_network() {
    let shop = Shop::open(&LITECOIN, "");
    let check = |from: &str, to: &str, more: &[&str], expected: &str| {
        let file = shop.other_config(from, to);
        let database = format!("sqlite:{}.db", file.display());
        let start = ["serve", "--listen", "127.0.0.1:0", "--database", &database, "--config"];
        let output = run(&[&start[..], &[file.to_str().unwrap()], more].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && said.contains(expected), "{said}");
    };
    check("regtest", "signet", &[], "[chains.LTC]: the node is on regtest, and [chains.LTC] says signet");
    check("regtest", "mainnet", &[], "is a key of a test network, and [chains] names the main network");
    check("nothing", "", &["--sandbox"], "--sandbox simulates all chains");
    check("user = ", "username = ", &[], "unknown field `username`");
    let (said, bare) = (format!("wpkh({ACCOUNT})"), ACCOUNT);
    check(&said, bare, &[], "does not say what kind of addresses the key is for");
    check(&said, &format!("sh({said})"), &[], "write wpkh(KEY) or pkh(KEY)");
}

/// The gateway is killed at random moments while transfers arrive.
fn kill_9_at_random_moments(coin: &'static Coin) {
    let shop = Shop::open(coin, "");
    let mut random = u64::from(std::process::id()) << 16 | 1;
    let seed = random;
    let mut next = move |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let mut paid: Vec<(String, String, String)> = Vec::new();
    for round in 0..ROUNDS {
        let gateway = shop.gateway();
        let order = shop.order(&gateway, &format!("order-{round}"), "40");
        shop.node.send(&order.1, &order.2);
        paid.push(order);
        std::thread::sleep(Duration::from_millis(next(1200)));
        match round % 3 {
            0 => drop(shop.node.mine(1)),
            1 => shop.node.reorganise(1 + next(2)),
            _ => {}
        }
        std::thread::sleep(Duration::from_millis(next(1500)));
        gateway.stop("-KILL");
    }
    let gateway = shop.gateway();
    for (id, address, amount) in &paid {
        // The gateway rebroadcasts a transfer whose parent a reorganisation removed, so one of the next
        // blocks includes it. A busy gateway gets a second to read each block.
        let paid = || {
            shop.node.mine(1);
            (0..20).any(|_| {
                std::thread::sleep(Duration::from_millis(50));
                gateway.payment(id)["status"] == "DEPOSITED"
            })
        };
        let has_paid = (0..90).any(|_| paid());
        assert!(
            has_paid,
            "seed {seed}: {address} has {:?}, {}",
            shop.node.watched(address),
            gateway.payment(id)
        );
        let payment = gateway.payment(id);
        let deposits = payment["deposits"].as_array().unwrap();
        assert_eq!(
            (deposits.len(), &payment["actualDepositAmount"]),
            (1, &json!(amount)),
            "seed {seed}: {payment}"
        );
        assert_eq!(shop.node.watched(address).len(), 1, "seed {seed}");
    }
    eventually("every callback arrives", || shop.inbox.by_id().len() == paid.len());
    show(&format!(
        "{ROUNDS} kills at random moments on {}: {} payments, lost 0, doubled 0",
        coin.code,
        paid.len()
    ));
}

fn merged(body: &Value, more: &Value) -> Value {
    let mut merged = body.clone();
    for (name, value) in more.as_object().unwrap() {
        merged[name] = value.clone();
    }
    merged
}
