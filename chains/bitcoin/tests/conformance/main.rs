//! Runs the conformance suite on real nodes: Debian's `litecoind` has address wallets, `bitcoind` has
//! descriptor wallets.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bitcoin_cash;
mod completeness;
mod dogecoin;
mod esplora;
mod esplora_refusals;
mod extension_blocks;
mod hostile;
mod in_turns;
mod moved;
mod odd_answers;
mod odd_health;
#[path = "../regtest/mod.rs"]
mod regtest;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bip32::{Prefix, XPrv};
use checkout_chain_addresses::DepositKeys;
use checkout_chain_bitcoin::{BitcoinChain, Environment, NodeWallet, Settings};
use checkout_chain_conformance::{Reader, TestChain};
use checkout_chain_doubles::BitcoinCore;
use checkout_core::address::{Address, Options};
use checkout_core::pair::EVERY_PAIR;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::OutputState::{self, Confirmed, Unconfirmed, Vanished};
use checkout_domain::chain::environment::Environments;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::chain::source;
use checkout_domain::ports::addresses::Addresses;
use checkout_domain::ports::broadcaster::{Broadcaster, Holding, SentBefore};
use checkout_domain::ports::chain::Chain;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_test_nodes::{MINER, Node, Program, bitcoind, litecoind};
use serde_json::{Value, json};

/// Nobody's money: test vector 1 of BIP-32, as a key of test networks.
const SECRET: &str = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";

fn secret() -> XPrv {
    SECRET.parse().unwrap()
}

/// The value of `[deposit_keys]`.
fn account(network: Network) -> String {
    let key = secret().public_key().to_string(Prefix::TPUB);
    if network.spec().key_path.purpose == 84 { format!("wpkh({key})") } else { key }
}

struct OnNode {
    network: Network,
    node: Node,
    addresses: Arc<DepositKeys>,
    chain: BitcoinChain,
    payouts: NodeWallet,
    /// The coin that the last transaction spent.
    coin: Mutex<Value>,
}

impl OnNode {
    fn start(program: &Program, network: Network) -> Self {
        Self::on(Node::start(program, &[]), network)
    }

    fn on(node: Node, network: Network) -> Self {
        let settings = regtest::settings(&node);
        Self::with(node, network, &settings)
    }

    async fn is_own(&self, address: &str) -> bool {
        let any = Options { allow_test_networks: true, ..Options::STRICT };
        let address = Address::parse_with(self.network, address, &any).unwrap();
        self.payouts.is_own(&address).await.unwrap()
    }

    fn with(node: Node, network: Network, settings: &Settings) -> Self {
        let key = account(network);
        let addresses =
            Arc::new(DepositKeys::read([(network, key.as_str())], &environments(network)).unwrap());
        let chain = chain(network, settings, &addresses, 0);
        let payouts = NodeWallet::new(network, settings).unwrap();
        Self { network, node, addresses, chain, payouts, coin: Mutex::default() }
    }
}

/// `given`: addresses that payers have.
fn chain(network: Network, settings: &Settings, addresses: &Arc<DepositKeys>, given: u32) -> BitcoinChain {
    let addresses = Arc::clone(addresses) as Arc<dyn Addresses>;
    BitcoinChain::new(network, settings, &account(network), addresses, given, Arc::new(SystemClock)).unwrap()
}

fn environments(network: Network) -> Environments {
    Environments::with([(network, Environment::Regtest.test().unwrap())])
}

/// A chain whose node answers through a server that can be odd.
async fn behind_a_server(given: u32) -> (OnNode, BitcoinCore, Settings, BitcoinChain) {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on = OnNode::start(&program, Network::Ltc);
    let server = BitcoinCore::start(on.node.rpc()).await;
    let settings = Settings { url: server.url.clone(), ..regtest::settings(&on.node) };
    let chain = chain(Network::Ltc, &settings, &on.addresses, given);
    chain.rescan(0).await.unwrap();
    (on, server, settings, chain)
}

#[async_trait]
impl TestChain for OnNode {
    fn chain(&self) -> &dyn Chain {
        &self.chain
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        Some(&self.payouts)
    }

    async fn other_address(&self) -> String {
        self.node.address()
    }

    async fn deposit_address(&self, index: u32) -> String {
        self.addresses.address(self.network, index).unwrap()
    }

    async fn send(&self, to: &[(String, &str)]) -> Vec<String> {
        let coin = self.node.coin();
        let outputs: Value = to.iter().map(|(address, amount)| (address.clone(), json!(amount))).collect();
        let sum: f64 = to.iter().map(|(_, amount)| amount.parse::<f64>().unwrap()).sum();
        let id = self.node.spend_to(&coin, &outputs, &sum.to_string());
        *self.coin.lock().unwrap() = coin;
        vec![id; to.len()]
    }

    async fn mine(&self, blocks: u32) {
        self.node.mine(blocks);
    }

    async fn reorganise(&self, depth: u32) {
        self.node.reorganise(depth.into());
    }

    async fn double_spend(&self, _: &str) {
        let coin = self.coin.lock().unwrap().clone();
        self.node.spend(&coin, &self.node.address(), "0.4");
    }
}

async fn conforms(program: &Program, network: Network) {
    checkout_chain_conformance::all(&OnNode::start(program, network)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn litecoin_on_litecoind() {
    let program = litecoind()
        .expect("litecoind is not installed: `cargo xtask test` does, or apt-get install litecoind");
    conforms(&program, Network::Ltc).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wallet_that_pays_knows_its_addresses() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on = OnNode::start(&program, Network::Ltc);
    let deposit = on.addresses.address(Network::Ltc, 7).unwrap();
    for (address, expected) in
        [(on.node.address(), true), (deposit, false), (Network::Ltc.spec().example.to_owned(), false)]
    {
        assert_eq!(on.is_own(&address).await, expected, "{address}");
    }
}

/// The parent of a transfer leaves the chain and cannot be mined for a while; until then the transfer cannot
/// be mined either.
#[tokio::test(flavor = "multi_thread")]
async fn a_transfer_whose_parent_left_the_chain_is_sent_again() {
    let program = litecoind().expect("litecoind is not installed: apt-get install litecoind");
    let OnNode { node, chain, addresses, .. } = OnNode::start(&program, Network::Ltc);
    // Creates the wallet.
    chain.health().await;
    let address = addresses.address(Network::Ltc, 7).unwrap();
    chain.watch(&address, 7).await.unwrap();
    let height = node.call("", "getblockcount", &json!([])).as_u64().unwrap();
    let coin = node.coin();
    let (input, change) = (json!([spent(&coin["txid"], &coin["vout"])]), node.address());
    let parent = node.text("", "createrawtransaction", &json!([input, {&change: 9.9}, height]));
    let parent = node.call(MINER, "signrawtransactionwithwallet", &json!([parent]));
    let send = |signed: &Value| node.text("", "sendrawtransaction", &json!([signed["hex"], 0]));
    let id = send(&parent);
    node.mine(1);
    let input = json!([spent(&json!(id), &json!(0))]);
    let child = node.text("", "createrawtransaction", &json!([input, {&address: 0.5, node.address(): 9.3}]));
    send(&node.call(MINER, "signrawtransactionwithwallet", &json!([child])));
    let mut reader = Reader::default();
    reader.until(&chain, &address, &[Unconfirmed]).await;

    let first = node.text("", "getblockhash", &json!([height]));
    node.call("", "invalidateblock", &json!([first]));
    reader.until(&chain, &address, &[Vanished]).await;
    for _ in 0..3 {
        node.mine_empty();
    }
    send(&parent);
    node.mine(1);
    reader.until(&chain, &address, &[Unconfirmed]).await;
    node.mine(1);
    reader.until(&chain, &address, &[Confirmed]).await;
}

/// An input whose sequence number enforces the lock time.
fn spent(txid: &Value, vout: &Value) -> Value {
    json!({"txid": txid, "vout": vout, "sequence": 0xffff_fffe_u32})
}

#[tokio::test(flavor = "multi_thread")]
async fn bitcoin_on_bitcoind() {
    let program = bitcoind().expect("bitcoind is not installed: `cargo xtask test` does");
    conforms(&program, Network::Btc).await;
}

/// `pays` is the name of the wallet that does. Coins of deposits count, whoever can spend them; what a payout sent is gone before a block has it, with its fee.
async fn holds_what_came_in_less_what_left(on: &OnNode, pays: &str, chain: &dyn TestChain, to: &str) {
    let held = async || {
        let found = on.payouts.holdings(None).await.unwrap();
        let [Holding { pair, amount }] = found[..] else { panic!("{found:?}") };
        assert_eq!(pair.network, on.network);
        i128::try_from(amount.atoms()).unwrap()
    };
    let own = || {
        let balance = on.node.call(pays, "getbalance", &json!(["*", 0])).to_string();
        i128::try_from(Amount::parse(&balance, 8).unwrap().atoms()).unwrap()
    };
    assert_eq!(source::fault(&on.chain.health().await), None, "and the wallet is made");
    let address = on.deposit_address(0).await;
    on.chain.watch(&address, 0).await.unwrap();
    on.node.mine(1);
    assert_eq!(held().await, own(), "nothing came in");
    chain.send(&[(address, "1.5")]).await;
    on.node.mine(1);
    assert_eq!(held().await, own() + 150_000_000);
    let pair = EVERY_PAIR.iter().find(|pair| pair.network == on.network).unwrap();
    let payout = checkout_chain_conformance::payout((pair.currency, on.network), to, None, 25_000_000);
    let before = held().await;
    let signed = on.payouts.sign(&payout).await.unwrap();
    assert_eq!(held().await, before, "signed and not sent");
    on.payouts.broadcast(&signed).await.unwrap();
    let cost = before - held().await - 25_000_000;
    assert!((1..1_000_000).contains(&cost), "{cost}");
    on.payouts.release(&signed, None).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wallets_of_litecoind_tell_what_they_hold() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let mut on = OnNode::start(&program, Network::Ltc);
    holds_what_came_in_less_what_left(&on, MINER, &on, &on.node.payee()).await;
    let esplora = Some("https://litecoinspace.org/api".to_owned());
    on.payouts = NodeWallet::new(Network::Ltc, &Settings { esplora, ..regtest::settings(&on.node) }).unwrap();
    assert_eq!(on.payouts.holdings(None).await.unwrap(), [], "the node does not watch deposits");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wallets_of_bitcoind_tell_what_they_hold() {
    let program = bitcoind().expect("bitcoind is not installed: `cargo xtask test` does");
    let on = OnNode::start(&program, Network::Btc);
    holds_what_came_in_less_what_left(&on, MINER, &on, &on.node.payee()).await;
}

/// The amount of a refund depends on the fee of the moment, so the transaction of the lost gateway had another amount.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_whose_amount_depends_on_the_fee_is_not_paid_twice_after_a_restore() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on_node = OnNode::start(&program, Network::Ltc);
    let (payer, other) = (on_node.node.address(), on_node.node.address());
    let payout = |to: &str, atoms, purpose| Payout {
        purpose,
        ..checkout_chain_conformance::payout((Currency::Ltc, Network::Ltc), to, None, atoms)
    };
    let lost = payout(&payer, 50_000_000, Purpose::Refund);
    let signed = on_node.payouts.sign(&lost).await.unwrap();
    on_node.payouts.broadcast(&signed).await.unwrap();
    let check = async |payout: Payout, expected: &[&str]| {
        let found = on_node.payouts.sent_before(&payout).await.unwrap();
        let expected = expected.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(found, SentBefore::Perhaps(expected), "{payout:?}");
    };
    for _ in 0..2 {
        check(payout(&payer, 50_000_000, Purpose::Refund), &[&signed.transaction_id]).await;
        check(payout(&payer, 49_990_000, Purpose::Refund), &[&signed.transaction_id]).await;
        check(payout(&payer, 50_000_000, Purpose::Withdrawal), &[&signed.transaction_id]).await;
        check(payout(&payer, 49_990_000, Purpose::Withdrawal), &[]).await;
        check(payout(&other, 50_000_000, Purpose::Refund), &[]).await;
        // Its address is named on the page, and was another one before.
        let claim = Payout { claimed: true, ..payout(&other, 49_990_000, Purpose::Refund) };
        let elsewhere = on_node.payouts.sent_elsewhere(&claim).await.unwrap();
        assert_eq!(elsewhere, SentBefore::Perhaps(vec![signed.transaction_id.clone()]));
        on_node.node.mine(1);
    }
}

/// 0.0001 coins per 1,000 virtual bytes are needed, because the node has no estimate.
#[tokio::test(flavor = "multi_thread")]
async fn first_sight_proves_nothing_when_the_fee_is_low_or_the_sender_can_replace_it() {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on_node = OnNode::start(&program, Network::Ltc);
    assert_eq!(source::fault(&on_node.chain.health().await), None, "and the wallet is made");
    let address = on_node.deposit_address(0).await;
    on_node.chain.watch(&address, 0).await.unwrap();
    let mut cursor = None;
    for (fee, uncertain) in [(0.000_005, true), (0.000_05, false)] {
        let id = on_node.node.spend_finally(&on_node.node.coin(), &address, 0.5, fee);
        assert_eq!(on_node.first_sight(&id, &mut cursor).await, uncertain, "{fee}");
        on_node.node.mine(1);
    }
    let own = on_node.node.address();
    on_node.node.spend_finally(&on_node.node.coin(), &own, 2.0, 0.001);
    let unconfirmed = on_node.node.call(MINER, "listunspent", &json!([0, 0, [own]]))[0].clone();
    let id = on_node.node.spend_finally(&unconfirmed, &address, 0.5, 0.001);
    assert!(on_node.first_sight(&id, &mut cursor).await, "what it spends can be replaced");
    on_node.node.mine(1);
    let id = on_node.node.spend(&on_node.node.coin(), &address, "0.5");
    assert!(on_node.first_sight(&id, &mut cursor).await, "it signals that it can be replaced");
}

impl OnNode {
    /// Whether a transaction is reported as uncertain.
    async fn first_sight(&self, id: &str, cursor: &mut Option<String>) -> bool {
        let started = std::time::Instant::now();
        loop {
            let changes = self.chain.changes(cursor.as_deref()).await.unwrap();
            *cursor = Some(changes.cursor);
            let seen = changes.transfers.iter().find(|transfer| transfer.output.transaction == id);
            if let Some(transfer) = seen {
                assert_eq!(transfer.state, OutputState::Unconfirmed);
                return transfer.uncertain;
            }
            assert!(started.elapsed().as_secs() < 60, "{id} is never reported");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}
