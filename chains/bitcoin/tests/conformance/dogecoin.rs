//! Dogecoin, as the source of Dogecoin Core answers, over the blocks and the wallet of `litecoind`. No real node was run.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use checkout_chain_bitcoin::{BitcoinChain, Settings};
use checkout_chain_conformance::{Reader, TestChain};
use checkout_chain_doubles::Dogecoin;
use checkout_core::Network;
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed};
use checkout_domain::chain::source::fault;
use checkout_domain::ports::addresses::Addresses as _;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;
use checkout_test_nodes::{Node, litecoind};
use checkout_test_support::patience;
use serde_json::json;

use crate::{OnNode, chain, regtest};

struct OnDogecoin {
    on_node: OnNode,
    server: Dogecoin,
}

impl OnDogecoin {
    async fn start() -> Self {
        let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
        let node = Node::start_legacy(&program);
        // More than one coin to spend.
        node.mine(5);
        let server = Dogecoin::start(node.rpc()).await;
        let own = node.text(&server.wallet(), "getnewaddress", &json!([]));
        for _ in 0..3 {
            node.send(&own, "1.5");
        }
        node.mine(1);
        let settings = settings(&node, &server);
        Self { on_node: OnNode::with(node, Network::Doge, &settings), server }
    }

    fn node(&self) -> &Node {
        &self.on_node.node
    }

    fn chain(&self) -> &BitcoinChain {
        &self.on_node.chain
    }

    /// A watched address.
    async fn address(&self, index: u32) -> String {
        let address = self.on_node.addresses.address(Network::Doge, index).unwrap();
        assert_eq!(fault(&self.chain().health().await), None, "and its addresses are watched");
        self.chain().watch(&address, index).await.unwrap();
        address
    }
}

fn settings(node: &Node, server: &Dogecoin) -> Settings {
    // The default, because a node has no names of wallets.
    let wallet = "checkout-deposits".to_owned();
    Settings { url: server.url.clone(), wallet, ..regtest::settings(node) }
}

#[async_trait]
impl TestChain for OnDogecoin {
    fn chain(&self) -> &dyn Chain {
        &self.on_node.chain
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        self.on_node.broadcaster()
    }

    async fn other_address(&self) -> String {
        self.on_node.other_address().await
    }

    async fn deposit_address(&self, index: u32) -> String {
        self.on_node.deposit_address(index).await
    }

    async fn send(&self, to: &[(String, &str)]) -> Vec<String> {
        self.on_node.send(to).await
    }

    async fn mine(&self, blocks: u32) {
        self.on_node.mine(blocks).await;
    }

    async fn reorganise(&self, depth: u32) {
        self.on_node.reorganise(depth).await;
    }

    /// Nodes keep what they saw first, unless it signals that it can be replaced; a miner may take the other one.
    async fn double_spend(&self, _: &str) {
        let coin = self.on_node.coin.lock().unwrap().clone();
        crate::bitcoin_cash::mine_instead(self.node(), &coin);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suite_on_dogecoin() {
    checkout_chain_conformance::all(&OnDogecoin::start().await).await;
}

/// What is watched in its one wallet counts once.
#[tokio::test(flavor = "multi_thread")]
async fn the_wallet_of_dogecoin_tells_what_it_holds() {
    let on = OnDogecoin::start().await;
    crate::holds_what_came_in_less_what_left(&on.on_node, &on.server.wallet(), &on, &on.node().payee()).await;
}

/// The recommended fee is 0.01 for 1,000 bytes, and a transaction has about 226.
#[tokio::test(flavor = "multi_thread")]
async fn a_dogecoin_payment_is_instant_at_the_recommended_fee_if_nobody_can_replace_it() {
    let on = OnDogecoin::start().await;
    let mut reader = Reader::default();
    for (index, fee, is_uncertain) in [(0, 0.001, true), (1, 0.003, false)] {
        let address = on.address(index).await;
        on.node().spend_finally(&on.node().coin(), &address, 0.5, fee);
        let seen = reader.until(on.chain(), &address, &[Unconfirmed]).await;
        assert_eq!(seen[0].uncertain, is_uncertain, "{fee}: {seen:?}");
        assert!(seen[0].from.starts_with(['m', 'n']), "{seen:?}");
        on.node().mine(1);
        reader.until(on.chain(), &address, &[Confirmed]).await;
    }
    let address = on.address(2).await;
    on.node().spend(&on.node().coin(), &address, "0.5");
    let seen = reader.until(on.chain(), &address, &[Unconfirmed]).await;
    assert!(seen[0].uncertain, "it signals that it can be replaced: {seen:?}");
}

/// The one wallet holds the coins for payouts, too: those of payers are watched, and never spent.
#[tokio::test(flavor = "multi_thread")]
async fn payouts_spend_no_deposits() {
    let on = OnDogecoin::start().await;
    let deposited = on.address(0).await;
    let unwatched = on.on_node.addresses.address(Network::Doge, 100_000).unwrap();
    for (address, expected) in [(&deposited, true), (&unwatched, false)] {
        assert_eq!(on.on_node.is_own(address).await, expected, "{address}");
    }
    let mut reader = Reader::default();
    on.node().send(&deposited, "4");
    on.node().mine(1);
    reader.until(on.chain(), &deposited, &[Confirmed]).await;
    let payout = |atoms| {
        let to = on.node().address();
        checkout_chain_conformance::payout((checkout_core::Currency::Doge, Network::Doge), &to, None, atoms)
    };
    let signed = on.on_node.payouts.sign(&payout(430_000_000)).await.unwrap();
    on.on_node.payouts.broadcast(&signed).await.unwrap();
    let refused = on.on_node.payouts.sign(&payout(430_000_000)).await.err().map(|error| format!("{error:?}"));
    assert!(refused.as_ref().is_some_and(|said| said.contains("Insufficient funds")), "{refused:?}");
}

/// The node comes back with a new wallet, and payments arrived meanwhile. The wallet remembers that blocks are missing.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_wallet_is_searched_from_the_cursor_on_dogecoin() {
    let mut on = OnDogecoin::start().await;
    let addresses = [on.address(0).await, on.address(1).await];
    let mut reader = Reader::default();
    on.node().send(&addresses[0], "0.5");
    on.node().mine(1);
    reader.until(on.chain(), &addresses[0], &[Confirmed]).await;
    on.server.open("another");
    on.node().send(&addresses[1], "0.25");
    on.node().mine(3);
    let settings = settings(on.node(), &on.server);
    for _ in 0..2 {
        // A new process each time.
        on.on_node.chain = chain(Network::Doge, &settings, &on.on_node.addresses, 2);
        let checks = on.chain().health().await;
        let said = fault(&checks).map(|check| (check.subject, check.detail.clone()));
        let is_told = |(subject, detail): &(_, String)| *subject == "wallet" && detail.contains("missing");
        assert!(said.as_ref().is_some_and(is_told), "{checks:?}");
    }
    on.node().mine(1);
    let started = Instant::now();
    while let Err(error) = on.chain().changes(reader.cursor.as_deref()).await {
        assert!(error.to_string().contains("missing"), "{error}");
        assert!(started.elapsed() < patience(), "{error}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    reader.until(on.chain(), &addresses[1], &[Confirmed]).await;
    assert_eq!(fault(&on.chain().health().await), None);
    on.node().reorganise(1);
    reader.until(on.chain(), &addresses[0], &[Confirmed]).await;
}

/// The questions of the gateway for an operator, and after a restore.
#[tokio::test(flavor = "multi_thread")]
async fn a_rescan_finds_a_payment_that_the_wallet_did_not_watch() {
    let on = OnDogecoin::start().await;
    let height = on.chain().tip().await.unwrap().height;
    let address = on.on_node.addresses.address(Network::Doge, 0).unwrap();
    on.node().send(&address, "0.5");
    on.node().mine(1);
    assert_eq!(fault(&on.chain().health().await), None);
    on.chain().rescan(height).await.unwrap();
    let cursor = on.chain().rescan_cursor(height, None).await.unwrap();
    let mut reader = Reader { cursor: Some(cursor), ..Reader::default() };
    reader.until(on.chain(), &address, &[Confirmed]).await;
    on.chain().search(height, height + 1).await.unwrap();
    on.chain().search(0, 0).await.unwrap();
}
