//! Bitcoin Cash, as the source of Bitcoin Cash Node answers, over the blocks and wallets of `litecoind`. No real node was run.

use async_trait::async_trait;
use checkout_chain_bitcoin::{BitcoinChain, Settings};
use checkout_chain_conformance::{Reader, TestChain};
use checkout_chain_doubles::BitcoinCash;
use checkout_chain_doubles::bitcoin_cash::legacy;
use checkout_core::Network;
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed, Vanished};
use checkout_domain::chain::source::fault;
use checkout_domain::ports::addresses::Addresses;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;
use checkout_test_nodes::{MINER, Node, litecoind};
use serde_json::{Value, json};

use crate::{OnNode, regtest};

struct OnBitcoinCash {
    on_node: OnNode,
    server: BitcoinCash,
}

impl OnBitcoinCash {
    async fn start() -> Self {
        let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
        let node = Node::start_legacy(&program);
        // More than one coin to spend.
        node.mine(5);
        let server = BitcoinCash::start(node.rpc()).await;
        let settings = Settings { url: server.url.clone(), ..regtest::settings(&node) };
        Self { on_node: OnNode::with(node, Network::Bch, &settings), server }
    }

    fn node(&self) -> &Node {
        &self.on_node.node
    }

    fn chain(&self) -> &BitcoinChain {
        &self.on_node.chain
    }

    /// A watched address.
    async fn address(&self, index: u32) -> String {
        let address = self.on_node.addresses.address(Network::Bch, index).unwrap();
        assert_eq!(fault(&self.chain().health().await), None, "and the wallet is made");
        self.chain().watch(&address, index).await.unwrap();
        address
    }
}

#[async_trait]
impl TestChain for OnBitcoinCash {
    fn chain(&self) -> &dyn Chain {
        &self.on_node.chain
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        self.on_node.broadcaster()
    }

    async fn other_address(&self) -> String {
        // The n-th address of an account that nobody watches.
        self.on_node.addresses.address(Network::Bch, 100_000).unwrap()
    }

    async fn deposit_address(&self, index: u32) -> String {
        self.on_node.addresses.address(Network::Bch, index).unwrap()
    }

    async fn send(&self, to: &[(String, &str)]) -> Vec<String> {
        let to: Vec<(String, &str)> = to.iter().map(|(address, amount)| (legacy(address), *amount)).collect();
        self.on_node.send(&to).await
    }

    async fn mine(&self, blocks: u32) {
        self.node().mine(blocks);
    }

    async fn reorganise(&self, depth: u32) {
        self.node().reorganise(depth.into());
    }

    /// Nodes keep what they saw first, so a miner has to take the other one.
    async fn double_spend(&self, _: &str) {
        let coin = self.on_node.coin.lock().unwrap().clone();
        mine_instead(self.node(), &coin);
    }
}

/// Puts another transaction that spends a coin into a block.
pub(crate) fn mine_instead(node: &Node, coin: &Value) {
    let input = json!([{"txid": coin["txid"], "vout": coin["vout"]}]);
    let rest = format!("{:.8}", coin["amount"].as_f64().unwrap() - 0.001);
    let raw = node.text("", "createrawtransaction", &json!([input, {node.address(): rest}]));
    let signed = node.call(MINER, "signrawtransactionwithwallet", &json!([raw]));
    node.call("", "generateblock", &json!([node.address(), [signed["hex"]]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suite_on_bitcoin_cash() {
    checkout_chain_conformance::all(&OnBitcoinCash::start().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wallets_of_bitcoin_cash_tell_what_they_hold() {
    let on = OnBitcoinCash::start().await;
    let to = on.other_address().await;
    crate::holds_what_came_in_less_what_left(&on.on_node, MINER, &on, &to).await;
}

/// Nobody replaces a transaction on this network, and no node says anything about it.
#[tokio::test(flavor = "multi_thread")]
async fn a_bitcoin_cash_payment_can_be_instant() {
    let on = OnBitcoinCash::start().await;
    let mut reader = Reader::default();
    let address = on.address(0).await;
    on.node().spend_finally(&on.node().coin(), &legacy(&address), 0.5, 0.001);
    let seen = reader.until(on.chain(), &address, &[Unconfirmed]).await;
    assert!(!seen[0].uncertain, "{seen:?}");
    assert!(seen[0].from.starts_with("bchreg:"), "{seen:?}");

    let address = on.address(1).await;
    let id = on.node().spend_finally(&on.node().coin(), &legacy(&address), 0.5, 0.001);
    on.server.prove_double_spend(&id);
    let seen = reader.until(on.chain(), &address, &[Unconfirmed]).await;
    assert!(seen[0].uncertain, "somebody proved that it is spent twice: {seen:?}");
}

/// A proof that comes later than the payment: it does not count until a block has it.
#[tokio::test(flavor = "multi_thread")]
async fn an_instant_bitcoin_cash_payment_that_is_spent_twice_later_does_not_count() {
    let on = OnBitcoinCash::start().await;
    let mut reader = Reader::default();
    let (paid, other) = (on.address(0).await, on.address(1).await);
    let id = on.node().spend_finally(&on.node().coin(), &legacy(&paid), 0.5, 0.001);
    on.node().spend_finally(&on.node().coin(), &legacy(&other), 0.25, 0.001);
    for address in [&paid, &other] {
        let seen = reader.until(on.chain(), address, &[Unconfirmed]).await;
        assert!(!seen[0].uncertain, "{seen:?}");
    }
    on.server.prove_double_spend(&id);
    for _ in 0..3 {
        reader.read(on.chain()).await;
        assert_eq!((reader.to(&paid)[0].state, reader.to(&other)[0].state), (Vanished, Unconfirmed));
    }
    on.node().mine_empty();
    reader.read(on.chain()).await;
    assert_eq!(reader.to(&paid)[0].state, Vanished, "the proof still stands");
    on.node().mine(1);
    reader.until(on.chain(), &paid, &[Confirmed]).await;
    reader.until(on.chain(), &other, &[Confirmed]).await;
}

/// The memory pool lost a deposit: it is sent again, and the chain goes on meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_bitcoin_cash_payment_that_was_dropped_is_sent_again_and_stops_nobody() {
    let mut on = OnBitcoinCash::start().await;
    let (lost, other) = (on.address(0).await, on.address(1).await);
    let mut reader = Reader::default();
    let id = on.node().spend_finally(&on.node().coin(), &legacy(&lost), 0.5, 0.001);
    reader.until(on.chain(), &lost, &[Unconfirmed]).await;
    on.on_node.node.stop();
    on.on_node.node.forget_pool();
    on.on_node.node.run_with("-walletbroadcast=0");
    assert_eq!(fault(&on.chain().health().await), None, "and the wallet is loaded");
    let pool = |on: &OnBitcoinCash| on.node().call("", "getrawmempool", &json!([]));
    on.node().spend_finally(&on.node().coin(), &legacy(&other), 0.25, 0.001);
    on.node().mine(1);
    reader.until(on.chain(), &other, &[Confirmed]).await;
    reader.read(on.chain()).await;
    let sent = pool(&on) == json!([id]) || reader.to(&lost)[0].state == Confirmed;
    assert!(sent, "the adapter sent it: {:?} {}", reader.to(&lost), pool(&on));
    on.node().mine(1);
    reader.until(on.chain(), &lost, &[Confirmed]).await;
}

/// Only the payment that the node cannot tell about waits; it is asked about until it can.
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_error_about_one_payment_delays_no_other() {
    let on = OnBitcoinCash::start().await;
    let (strange, other) = (on.address(0).await, on.address(1).await);
    let mut reader = Reader::default();
    let coin = on.node().coin();
    let id = on.node().spend_finally(&coin, &legacy(&strange), 0.5, 0.001);
    on.server.fail_about(Some(&id));
    on.node().send(&legacy(&other), "0.25");
    reader.until(on.chain(), &other, &[Unconfirmed]).await;
    on.node().mine(3);
    reader.until(on.chain(), &other, &[Confirmed]).await;
    // Its block is behind the cursor.
    on.node().mine(30);
    reader.read(on.chain()).await;
    on.server.fail_about(None);
    reader.until(on.chain(), &strange, &[Confirmed]).await;

    // The same while it leaves the chain.
    on.server.fail_about(Some(&id));
    on.node().reorganise(34);
    reader.read(on.chain()).await;
    mine_instead(on.node(), &coin);
    reader.read(on.chain()).await;
    on.server.fail_about(None);
    reader.until(on.chain(), &strange, &[Vanished]).await;
}
