//! Hostile answers of an Esplora server, and of a node.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};

use async_trait::async_trait;
use checkout_chain_bitcoin::{BitcoinChain, Environment, EsploraChain, Settings};
use checkout_chain_conformance::Reader;
use checkout_chain_conformance::hostile::{self, HostileChain};
use checkout_chain_doubles::hostile::{Costs, Odd, Row, row};
use checkout_chain_doubles::{BitcoinCore, Esplora, bitcoin_core, esplora};
use checkout_core::Network;
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed};
use checkout_domain::ports::addresses::Addresses as _;
use checkout_domain::ports::chain::Chain;
use checkout_test_nodes::litecoind;
use serde_json::json;
use tokio::sync::OnceCell;

use crate::esplora::{Given, NOW, chain};
use crate::{OnNode, regtest};

/// All rows use one node, and each has addresses of its own.
static NODE: Mutex<Weak<OnNode>> = Mutex::new(Weak::new());
static SERVER: OnceCell<Esplora> = OnceCell::const_new();
/// What the rows before were paid need not be read again.
static READ: Mutex<Option<String>> = Mutex::new(None);
static NEXT: AtomicU32 = AtomicU32::new(0);

fn node() -> Arc<OnNode> {
    NODE.lock().unwrap().upgrade().expect("the node runs")
}

fn pay(kind: &str, address: &str) -> String {
    let node = &node().node;
    if kind != "mined" {
        return node.spend(&node.coin(), address, "0.5");
    }
    let block = &node.call("", "generatetoaddress", &json!([1, address]))[0];
    node.call("", "getblock", &json!([block]))["tx"][0].as_str().unwrap().to_owned()
}

struct OnEsplora {
    server: Esplora,
    given: Arc<Given>,
    chain: EsploraChain,
    first: u32,
    /// The address that a transaction pays.
    paid: Mutex<BTreeMap<String, String>>,
}

#[async_trait]
impl HostileChain for OnEsplora {
    async fn open() -> Self {
        let first = SERVER.get_or_init(async || Esplora::start(node().node.rpc()).await).await;
        let server = first.another().await;
        let given = Arc::new(Given::default());
        let chain = chain(&server, &given, Environment::Regtest);
        let first = NEXT.fetch_add(3, Ordering::Relaxed);
        Self { server, given, chain, first, paid: Mutex::default() }
    }

    fn rows() -> Vec<Row> {
        esplora::hostile::ROWS.to_vec()
    }

    fn chain(&self) -> &dyn Chain {
        &self.chain
    }

    async fn pay(&self, kind: &'static str) -> String {
        let on = node();
        let index = self.first + u32::from(kind == "another address");
        let address = on.addresses.address(Network::Ltc, index).unwrap();
        self.given.give(&address, NOW);
        let id = pay(kind, &address);
        self.paid.lock().unwrap().insert(id.clone(), address);
        id
    }

    async fn settle(&self) {
        node().node.mine(1);
    }

    async fn arm(&self, row: Row, transaction: &str) {
        let address = self.paid.lock().unwrap()[transaction].clone();
        let is_about_address = row.call == "address" && matches!(row.odd, Odd::Says(..));
        self.server.arm(row, if is_about_address { &address } else { transaction });
    }

    async fn disarm(&self) {
        self.server.disarm();
    }
}

/// A node behind a proxy, with the wallet that it has.
struct OnProxy {
    server: BitcoinCore,
    chain: BitcoinChain,
    index: u32,
}

#[async_trait]
impl HostileChain for OnProxy {
    async fn open() -> Self {
        let (on, index) = (node(), NEXT.fetch_add(1, Ordering::Relaxed));
        let server = BitcoinCore::start(on.node.rpc()).await;
        let settings = Settings { url: server.url.clone(), ..regtest::settings(&on.node) };
        let chain = crate::chain(Network::Ltc, &settings, &on.addresses, index + 1);
        chain.health().await;
        Self { server, chain, index }
    }

    fn rows() -> Vec<Row> {
        bitcoin_core::hostile::ROWS.to_vec()
    }

    fn chain(&self) -> &dyn Chain {
        &self.chain
    }

    async fn start(&self) -> Option<String> {
        let mut read = Reader { cursor: READ.lock().unwrap().clone(), ..Reader::default() };
        read.read(&self.chain).await;
        READ.lock().unwrap().clone_from(&read.cursor);
        read.cursor
    }

    async fn pay(&self, kind: &'static str) -> String {
        pay(kind, &node().addresses.address(Network::Ltc, self.index).unwrap())
    }

    async fn settle(&self) {
        node().node.mine(1);
    }

    async fn arm(&self, row: Row, transaction: &str) {
        self.server.arm(row, transaction);
    }

    async fn disarm(&self) {
        self.server.disarm();
    }
}

/// A payment that waits, of which the wallet's list says that it is in a block.
async fn a_list_alone_confirms_nothing() {
    let world = OnProxy::open().await;
    let mut reader = Reader { cursor: world.start().await, ..Reader::default() };
    let id = world.pay("payment").await;
    world.arm(row("listsinceblock", Odd::Is("/confirmations", "1"), Costs::Entry), &id).await;
    reader.read(&world.chain).await;
    assert_eq!(reader.known.len(), 0);
    assert_eq!(reader.set_aside.iter().map(|entry| entry.transaction.as_str()).collect::<Vec<_>>(), [&id]);
    world.disarm().await;
    reader.read(&world.chain).await;
    let state = |reader: &Reader| reader.known.values().map(|transfer| transfer.state).collect::<Vec<_>>();
    assert_eq!(state(&reader), [Unconfirmed]);
    world.settle().await;
    reader.read(&world.chain).await;
    assert_eq!(state(&reader), [Confirmed]);
}

fn start(blocks: u32) -> Arc<OnNode> {
    let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
    let on = Arc::new(OnNode::start(&program, Network::Ltc));
    // More than one coin to spend.
    on.node.mine(blocks);
    *NODE.lock().unwrap() = Arc::downgrade(&on);
    on
}

/// One test, because the rows find the node in one place. Each server has its own, because a chain of 432 blocks needs extension blocks.
#[tokio::test(flavor = "multi_thread")]
async fn hostile_answers() {
    let on = start(8);
    // All rows share the wallet, which the first chain makes.
    drop(OnProxy::open().await);
    hostile::all::<OnProxy>().await;
    a_list_alone_confirms_nothing().await;
    drop(on);
    // With blocks that are too old for the cursor.
    let _on = start(30);
    hostile::all::<OnEsplora>().await;
}
