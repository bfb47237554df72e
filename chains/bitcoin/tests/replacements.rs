//! Payouts whose fee is too low for the next blocks, on `litecoind`: they are replaced, and paid once.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod regtest;

use checkout_chain_bitcoin::{NodeWallet, Settings};
use checkout_chain_doubles::bitcoin_core::BitcoinCore;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::chain::waiting::Waiting;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known, Replacement, Unproven, Unsent};
use checkout_test_nodes::{MINER, Node, litecoind};
use serde_json::{Value, json};

/// Seconds after which a payout is replaced in these tests.
const AFTER: u64 = 60;

/// The fee rate of the node's miner, in coins per 1,000 virtual bytes.
const MINED: &str = "-blockmintxfee=0.0005";

fn waited(seconds: u64) -> Waiting {
    Waiting { since: 0, now: seconds }
}

struct Till {
    node: Node,
    settings: Settings,
    wallet: NodeWallet,
}

impl Till {
    /// Without an estimate of the node, payouts pay `rate` coins per 1,000 virtual bytes.
    fn open(rate: &str, max: &str) -> Self {
        Self::open_with(rate, max, |_| {})
    }

    fn open_with(rate: &str, max: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
        let node = Node::start(&program, &[MINED]);
        let mut settings = Settings {
            max_fee_rate: Some(max.to_owned()),
            fallback_fee_rate: Some(rate.to_owned()),
            replace_after_seconds: Some(AFTER),
            ..regtest::settings(&node)
        };
        change(&mut settings);
        let wallet = NodeWallet::new(Network::Ltc, &settings).unwrap();
        Self { node, settings, wallet }
    }

    /// Restarts the node with one more flag; it would wait for idle connections.
    fn restart_with(&mut self, flag: &str) {
        self.wallet = NodeWallet::new(Network::Ltc, &self.settings).unwrap();
        self.node.restart_with(flag);
    }

    fn payout(&self) -> Payout {
        let to = self.node.address();
        checkout_chain_conformance::payout((Currency::Ltc, Network::Ltc), &to, None, 25_000_000)
    }

    async fn sent(&self, payout: &Payout) -> Signed {
        let signed = self.wallet.sign(payout).await.unwrap();
        self.wallet.broadcast(&signed).await.unwrap();
        signed
    }

    async fn replaced(&self, payout: &Payout, newest: &Signed) -> Signed {
        match self.wallet.replace(payout, newest, waited(AFTER)).await {
            Ok(Replacement::Signed(replacement)) => replacement,
            other => panic!("it is not replaced: {other:?}"),
        }
    }

    async fn known(&self, signed: &Signed) -> Known {
        self.wallet.known(&signed.transaction_id).await.unwrap()
    }

    /// Takes all coins but one from the wallet's choice.
    fn leave_one_coin(&self) {
        let coins = self.node.call(MINER, "listunspent", &json!([]));
        self.leave_coin(coins[0]["txid"].as_str().unwrap());
    }

    fn leave_coin(&self, txid: &str) {
        let coins = self.node.call(MINER, "listunspent", &json!([]));
        let others = coins.as_array().unwrap().iter().filter(|coin| coin["txid"] != txid);
        let others: Vec<Value> =
            others.map(|coin| json!({"txid": coin["txid"], "vout": coin["vout"]})).collect();
        self.node.call(MINER, "lockunspent", &json!([false, others]));
    }

    /// The coins that are reserved for payouts.
    fn locked(&self) -> Vec<String> {
        let listed = self.node.call(MINER, "listlockunspent", &json!([]));
        listed.as_array().unwrap().iter().map(|coin| format!("{}:{}", coin["txid"], coin["vout"])).collect()
    }

    /// Puts a transaction into a block, whatever it pays.
    fn mine_this(&self, signed: &Signed) {
        let hex = String::from_utf8(signed.bytes.clone()).unwrap();
        self.node.call("", "generateblock", &json!([self.node.address(), [hex]]));
    }

    /// Spends the coins of a transaction that the node does not have.
    fn spend_coins_of(&self, signed: &Signed, to: &str) {
        let hex = String::from_utf8(signed.bytes.clone()).unwrap();
        let decoded = self.node.call("", "decoderawtransaction", &json!([hex]));
        let coin = |input: &Value| json!({"txid": input["txid"], "vout": input["vout"]});
        let inputs: Vec<Value> = decoded["vin"].as_array().unwrap().iter().map(coin).collect();
        let value = |coin: &Value| {
            self.node.call("", "gettxout", &json!([coin["txid"], coin["vout"]]))["value"].as_f64().unwrap()
        };
        let sum: f64 = inputs.iter().map(value).sum();
        let outputs = json!({to: format!("{:.8}", sum - 0.01)});
        let raw = self.node.text("", "createrawtransaction", &json!([inputs, outputs]));
        let spender = self.node.call(MINER, "signrawtransactionwithwallet", &json!([raw]));
        self.node.call("", "sendrawtransaction", &json!([spender["hex"], 0]));
    }

    async fn waits(&self, signed: &Signed, why: &str) {
        let unsent = self.wallet.broadcast(signed).await;
        let said = matches!(&unsent, Err(Unsent::Unavailable(said)) if said.to_string().contains(why));
        assert!(said, "{unsent:?}, not {why}");
    }

    async fn is_kept(&self, payout: &Payout, newest: &Signed, why: &str) {
        let kept = self.wallet.replace(payout, newest, waited(AFTER)).await;
        let said = matches!(&kept, Err(Unsent::Unavailable(said)) if said.to_string().contains(why));
        assert!(said, "{kept:?}, not {why}");
    }

    async fn is_refused(&self, signed: &Signed) {
        let refused = self.wallet.broadcast(signed).await;
        assert!(
            matches!(&refused, Err(Unsent::Refused(why)) if why.contains("another transaction spent")),
            "{refused:?}"
        );
    }

    /// The inputs, and the addresses of the outputs.
    fn parts(&self, signed: &Signed) -> (Vec<String>, Vec<String>) {
        let hex = String::from_utf8(signed.bytes.clone()).unwrap();
        let decoded = self.node.call("", "decoderawtransaction", &json!([hex]));
        let texts = |list: &str, text: fn(&Value) -> String| {
            let mut texts: Vec<String> = decoded[list].as_array().unwrap().iter().map(text).collect();
            texts.sort();
            texts
        };
        (
            texts("vin", |input| format!("{}:{}", input["txid"], input["vout"])),
            texts("vout", |output| output["scriptPubKey"]["addresses"][0].to_string()),
        )
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payout_with_a_low_fee_is_replaced_and_paid_once() {
    let till = Till::open("0.00045", "0.01");
    let payout = till.payout();
    let first = till.sent(&payout).await;
    till.node.mine(2);
    assert_eq!(till.known(&first).await, Known::Pending, "miners want more");
    assert_eq!(till.wallet.replace(&payout, &first, waited(AFTER - 1)).await.unwrap(), Replacement::None);

    let second = till.replaced(&payout, &first).await;
    assert_eq!((till.known(&first).await, till.known(&second).await), (Known::Pending, Known::Unknown));
    assert_eq!(till.parts(&first), till.parts(&second), "the same coins, recipient and change");
    for _ in 0..2 {
        till.wallet.broadcast(&second).await.unwrap();
    }
    assert_eq!((till.known(&first).await, till.known(&second).await), (Known::Unknown, Known::Pending));
    till.node.mine(1);
    let received = || till.node.received(&payout.to);
    assert_eq!((till.known(&second).await, received()), (Known::Confirmed(1), vec!["0.25000000".to_owned()]));

    till.node.reorganise(1);
    assert_eq!(till.known(&second).await, Known::Pending);
    till.node.mine(1);
    assert_eq!((till.known(&second).await, received().len()), (Known::Confirmed(1), 1));

    // A reorganisation after which the chain has the first.
    let best = till.node.text("", "getbestblockhash", &json!([]));
    till.node.call("", "invalidateblock", &json!([best]));
    till.mine_this(&first);
    till.node.mine(1);
    assert_eq!((till.known(&first).await, till.known(&second).await), (Known::Confirmed(2), Known::Unknown));
    assert_eq!(received(), ["0.25000000"]);
    // Until then a reorganisation can bring the second back.
    till.waits(&second, "2 of 24 blocks").await;
    till.node.mine(22);
    till.is_refused(&second).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_is_final_as_the_operator_says_but_never_before_the_network() {
    let check = async |finality: u32, blocks: u32| {
        let till = Till::open_with("0.00045", "0.01", |settings| {
            settings.finality = Finality::with([(Network::Ltc, finality)]);
        });
        let payout = till.payout();
        let first = till.sent(&payout).await;
        till.wallet.broadcast(&till.replaced(&payout, &first).await).await.unwrap();
        till.node.mine(blocks - 1);
        till.waits(&first, &format!("{} of {blocks} blocks", blocks - 1)).await;
        till.node.mine(1);
        till.is_refused(&first).await;
    };
    check(1, 24).await;
    check(30, 30).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_never_pays_more_than_the_maximum() {
    let till = Till::open("0.0003", "0.0004");
    let payout = till.payout();
    let first = till.sent(&payout).await;
    let second = till.replaced(&payout, &first).await;
    till.wallet.broadcast(&second).await.unwrap();
    assert_eq!(till.wallet.replace(&payout, &second, waited(AFTER)).await.unwrap(), Replacement::Capped);
}

/// The second payout spends the change of the first: to replace the first would take the second out of the memory pool.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_whose_change_another_one_spends_stays() {
    let till = Till::open("0.0003", "0.01");
    till.leave_one_coin();
    let payout = till.payout();
    let first = till.sent(&payout).await;
    let check = async || till.is_kept(&payout, &first, "spends its change").await;
    let behind = till.wallet.sign(&payout).await.unwrap();
    let (inputs, _) = till.parts(&behind);
    assert!(inputs[0].contains(&first.transaction_id), "the wallet has no other coin: {inputs:?}");
    check().await;
    till.wallet.broadcast(&behind).await.unwrap();
    check().await;
    let replacement = till.replaced(&payout, &behind).await;
    till.wallet.broadcast(&replacement).await.unwrap();
    assert_eq!((till.known(&first).await, till.known(&replacement).await), (Known::Pending, Known::Pending));
}

/// A restart took both out of the memory pool, whose minimum rose: the second may still be sent.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_whose_change_a_dropped_one_spends_stays() {
    let mut till = Till::open("0.00045", "0.01");
    till.leave_one_coin();
    let payout = till.payout();
    let first = till.sent(&payout).await;
    let behind = till.sent(&payout).await;
    till.restart_with("-minrelaytxfee=0.0006");
    assert_eq!((till.known(&first).await, till.known(&behind).await), (Known::Unknown, Known::Unknown));
    till.is_kept(&payout, &first, "spends its change").await;
}

/// Its coin is the change of a payout whose own coin another transaction spent. The wallet knows the second payout, not the third.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_is_lost_with_the_one_whose_change_it_spends() {
    let mut till = Till::open("0.00045", "0.01");
    till.leave_one_coin();
    let payout = till.payout();
    let first = till.sent(&payout).await;
    let second = till.sent(&payout).await;
    let third = till.wallet.sign(&payout).await.unwrap();
    assert!(till.parts(&third).0[0].contains(&second.transaction_id), "the wallet has no other coin");
    till.restart_with("-minrelaytxfee=0.0006");
    for payout in [&second, &third] {
        till.waits(payout, "not available").await;
    }
    till.spend_coins_of(&first, &till.node.payee());
    till.node.mine(23);
    for payout in [&first, &second, &third] {
        till.waits(payout, "23 of 24 blocks").await;
    }
    till.node.mine(1);
    for payout in [&first, &second, &third] {
        till.is_refused(payout).await;
    }
}

/// A reorganisation replaced it by another one of its sender, of which the wallet has nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_is_lost_with_the_coin_that_somebody_sent_and_took_back() {
    let till = Till::open("0.00045", "0.01");
    till.node.call(MINER, "settxfee", &json!([0.001]));
    let theirs = till.node.payee();
    till.node.send(&theirs, "5");
    till.node.mine(1);
    // Spends their only coin.
    let spend = |to: &str, amount: &str| {
        let coin = &till.node.call("payee", "listunspent", &json!([]))[0];
        let input = json!([{"txid": coin["txid"], "vout": coin["vout"]}]);
        let raw = till.node.text("", "createrawtransaction", &json!([input, {to: amount}]));
        till.node.call("payee", "signrawtransactionwithwallet", &json!([raw]))["hex"].clone()
    };
    // Once among themselves: the wallet does not have what made the coin.
    till.node.call("", "sendrawtransaction", &json!([spend(&theirs, "4.99"), 0]));
    till.node.mine(1);
    let (sent, took_back) = (spend(&till.node.address(), "4.98"), spend(&theirs, "4.98"));
    let id = till.node.text("", "sendrawtransaction", &json!([sent, 0]));
    till.node.mine(1);
    till.leave_coin(&id);
    let signed = till.sent(&till.payout()).await;

    let best = till.node.text("", "getbestblockhash", &json!([]));
    till.node.call("", "invalidateblock", &json!([best]));
    till.node.call("", "generateblock", &json!([till.node.address(), [took_back]]));
    till.node.mine(22);
    till.waits(&signed, "23 of 24 blocks").await;
    till.node.mine(1);
    till.is_refused(&signed).await;
}

/// The node raised its minimum after the payout was signed: no memory pool ever had it.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_below_the_minimum_of_the_node_is_replaced_and_paid_once() {
    let mut till = Till::open("0.00045", "0.01");
    let payout = till.payout();
    let first = till.wallet.sign(&payout).await.unwrap();
    till.restart_with("-minrelaytxfee=0.0006");
    let refused = till.wallet.broadcast(&first).await;
    let said = matches!(&refused, Err(Unsent::Unavailable(why)) if why.to_string().contains("min relay fee"));
    assert!(said, "{refused:?}");
    assert_eq!(till.known(&first).await, Known::Unknown);

    let second = till.replaced(&payout, &first).await;
    assert_eq!(till.parts(&first), till.parts(&second), "the same coins, recipient and change");
    till.wallet.broadcast(&second).await.unwrap();
    assert!(matches!(till.wallet.broadcast(&first).await, Err(Unsent::Unavailable(_))));
    till.node.mine(1);
    assert_eq!(till.known(&second).await, Known::Confirmed(1));
    till.waits(&first, "1 of 24 blocks").await;
    till.node.mine(23);
    till.is_refused(&first).await;
    assert_eq!(till.node.received(&payout.to), ["0.25000000"]);
}

/// The gateway stored its bytes and stopped before it sent them; the wallet of another node has the keys, and spent its coin.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_that_the_wallet_never_saw_is_lost_only_with_a_final_conflict() {
    let till = Till::open("0.0003", "0.01");
    let payout = till.payout();
    let first = till.wallet.sign(&payout).await.unwrap();
    till.spend_coins_of(&first, &till.node.payee());
    till.waits(&first, "not available").await;
    till.node.mine(1);
    till.waits(&first, "1 of 24 blocks").await;
    // Its block is orphaned, and the next one has the payout.
    let best = till.node.text("", "getbestblockhash", &json!([]));
    till.node.call("", "invalidateblock", &json!([best]));
    till.mine_this(&first);
    assert_eq!(till.known(&first).await, Known::Confirmed(1));
    till.wallet.broadcast(&first).await.unwrap();

    let second = till.wallet.sign(&payout).await.unwrap();
    till.spend_coins_of(&second, &till.node.payee());
    till.node.mine(23);
    till.waits(&second, "23 of 24 blocks").await;
    till.node.mine(1);
    till.is_refused(&second).await;

    // The wallet lists nothing that it paid to itself.
    let third = till.wallet.sign(&payout).await.unwrap();
    till.spend_coins_of(&third, &till.node.text(MINER, "getrawchangeaddress", &json!([])));
    till.node.mine(30);
    let unsent = till.wallet.broadcast(&third).await;
    let is_unproven = matches!(&unsent, Err(Unsent::Unavailable(why)) if why.is::<Unproven>());
    assert!(is_unproven, "{unsent:?}");
}

/// The wallet sent much since, and shows no transaction that spent the coins: the search ends in time.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_is_unproven_after_a_bounded_search() {
    let till = Till::open("0.0003", "0.01");
    let payout = Payout { amount: Amount::parse("60", 8).unwrap(), ..till.payout() };
    let signed = till.wallet.sign(&payout).await.unwrap();
    assert_eq!(till.parts(&signed).0.len(), 2, "it spends two coins");
    till.spend_coins_of(&signed, &till.node.text(MINER, "getrawchangeaddress", &json!([])));
    till.node.call(MINER, "settxfee", &json!([0.001]));
    let payee = till.node.payee();
    for _ in 0..11 {
        for _ in 0..20 {
            till.node.send(&payee, "0.1");
        }
        till.node.mine(1);
    }
    let server = BitcoinCore::start(till.node.rpc()).await;
    let settings = Settings { url: server.url.clone(), ..regtest::settings(&till.node) };
    let wallet = NodeWallet::new(Network::Ltc, &settings).unwrap();
    let unsent = wallet.broadcast(&signed).await;
    let is_unproven = matches!(&unsent, Err(Unsent::Unavailable(why)) if why.is::<Unproven>());
    assert!(is_unproven, "{unsent:?}");
    assert!(server.asked() < 410, "{} requests", server.asked());
}

/// While no block is found, a higher fee buys nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_payout_is_replaced_after_a_number_of_blocks() {
    let till = Till::open_with("0.0003", "0.01", |settings| {
        (settings.replace_after_seconds, settings.replace_after_blocks) = (None, Some(3));
    });
    let payout = till.payout();
    let first = till.sent(&payout).await;
    let best = till.node.text("", "getbestblockhash", &json!([]));
    let since = till.node.call("", "getblockheader", &json!([best]))["time"].as_u64().unwrap();
    till.node.call("", "setmocktime", &json!([since + 600]));
    let replace = async || {
        let waiting = Waiting { since, now: since + 1_000_000 };
        till.wallet.replace(&payout, &first, waiting).await.unwrap()
    };
    for _ in 0..3 {
        assert_eq!(replace().await, Replacement::None);
        till.node.mine(1);
    }
    assert!(matches!(replace().await, Replacement::Signed(_)));
}

/// A replacement needs another coin for its fee. The first transaction confirms, and the coin pays for the next payout.
#[tokio::test(flavor = "multi_thread")]
async fn the_coins_of_an_unused_replacement_are_free_again() {
    let till = Till::open("0.0003", "0.01");
    till.node.mine(4);
    // All of a coin but the fee: there is no change that could pay more.
    let payout = Payout { amount: Amount::parse("49.99996", 8).unwrap(), ..till.payout() };
    let first = till.sent(&payout).await;
    assert_eq!((till.parts(&first).0.len(), till.parts(&first).1.len()), (1, 1), "one coin, no change");
    let second = till.replaced(&payout, &first).await;
    let mut added = till.parts(&second).0;
    added.retain(|coin| !till.parts(&first).0.contains(coin));
    assert_eq!(added.len(), 1);
    let is_free = |coin: &String| !till.locked().contains(coin);
    assert!(!is_free(&added[0]));

    let other = till.wallet.sign(&till.payout()).await.unwrap();
    till.mine_this(&first);
    till.wallet.release(&second, Some(&first)).await.unwrap();
    assert!(is_free(&added[0]));
    assert!(!till.parts(&other).0.iter().any(is_free), "those of another payout stay reserved");
    // The wallet saw this one, so its coins may be reserved for another.
    till.wallet.release(&first, None).await.unwrap();
    till.wallet.release(&other, None).await.unwrap();
    assert!(till.parts(&other).0.iter().all(is_free));
}
