//! Hostile answers of nodes and providers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_conformance::hostile::{self, HostileChain};
use checkout_chain_conformance::{Numbers, Reader};
use checkout_chain_doubles::EvmNode;
use checkout_chain_doubles::evm::chain::Call;
use checkout_chain_doubles::evm::hostile::ROWS;
use checkout_chain_doubles::hostile::{Costs, Odd, Row, row};
use checkout_chain_evm::signer::keystore::Keystore;
use checkout_chain_evm::{EvmBroadcaster, EvmChain, InternalTransfers, Node, Settings};
use checkout_core::{Currency, Network, pair};
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ports::Chain;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Known};
use checkout_domain::ports::store::Stored;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

const OURS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const PAYER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const CONTRACT: &str = "0xdbf03b407c01e7cd3cbea99509d93f8dddc8c6fb";

/// Blocks after that of a payment: more than are read at once, so that none of them is the newest one, for which the chain waits.
const LATER: u64 = 24;

struct Given;

#[async_trait]
impl WatchedAddresses for Given {
    async fn ours(&self, _: Network, addresses: &[String]) -> Stored<Vec<String>> {
        Ok(addresses.iter().filter(|address| *address == OURS).cloned().collect())
    }
}

/// How a network is read.
trait Way: Send + Sync {
    const NETWORK: Network;
    const TRACES: InternalTransfers;
}

/// Ethereum by `debug_trace`.
struct Debug;

/// Ethereum by `trace_block`.
struct Flat;

/// Tokens only.
struct Bsc;

impl Way for Debug {
    const NETWORK: Network = Network::Eth;
    const TRACES: InternalTransfers = InternalTransfers::DebugTrace;
}

impl Way for Flat {
    const NETWORK: Network = Network::Eth;
    const TRACES: InternalTransfers = InternalTransfers::TraceBlock;
}

impl Way for Bsc {
    const NETWORK: Network = Network::Bsc;
    const TRACES: InternalTransfers = InternalTransfers::Off;
}

struct World<W> {
    server: EvmNode,
    chain: EvmChain,
    way: PhantomData<W>,
}

/// Coins that pass through this many contracts, each with that much input.
fn calls(deep: usize, input: usize) -> Vec<Call> {
    let pays =
        Call { from: CONTRACT.into(), to: OURS.to_ascii_lowercase(), wei: 7, input: 4, calls: Vec::new() };
    let through =
        |call, _| Call { from: CONTRACT.into(), to: CONTRACT.into(), wei: 0, input, calls: vec![call] };
    vec![(1..deep).fold(pays, through)]
}

#[async_trait]
impl<W: Way> HostileChain for World<W> {
    async fn open() -> Self {
        let mut settings = Settings::new(W::NETWORK, String::new());
        settings.internal_transfers = W::TRACES;
        let server = EvmNode::start(settings.chain_id).await;
        let node = Arc::new(Node::new(&server.url, settings.chain_id).unwrap());
        let chain = EvmChain::new(settings, node, Arc::new(Given), Arc::new(SystemClock));
        Self { server, chain, way: PhantomData }
    }

    fn rows() -> Vec<Row> {
        let is_of_coins = |row: &Row| matches!(row.of, "native" | "internal" | "deep" | "failed");
        let is_asked = |row: &&Row| match W::TRACES {
            InternalTransfers::DebugTrace => !row.call.starts_with("trace_") && row.call != "inner trace",
            InternalTransfers::TraceBlock => !row.call.starts_with("debug_"),
            InternalTransfers::Off => !row.call.contains("trace") && !is_of_coins(row),
        };
        ROWS.iter().filter(is_asked).copied().collect()
    }

    fn chain(&self) -> &dyn Chain {
        &self.chain
    }

    async fn pay(&self, kind: &'static str) -> String {
        let usdt = pair::find(Currency::Usdt, W::NETWORK).unwrap().contract.unwrap();
        let mut chain = self.server.chain();
        match kind {
            "payment" | "token" if W::NETWORK == Network::Bsc => chain.transfer(usdt, PAYER, OURS, 25),
            "token" => chain.transfer(usdt, PAYER, OURS, 25),
            "payment" | "native" => chain.put(PAYER, OURS, 25, Vec::new()),
            "internal" => chain.call(PAYER, calls(1, 0)),
            "deep" => chain.call(PAYER, calls(300, 20_000)),
            "to others" => chain.put(PAYER, PAYER, 25, Vec::new()),
            "failed" => {
                let hash = chain.put(PAYER, OURS, 25, Vec::new());
                chain.pending.last_mut().unwrap().failed = true;
                hash
            }
            kind => unreachable!("{kind}"),
        }
    }

    async fn settle(&self) {
        let mut chain = self.server.chain();
        for _ in 0..=LATER {
            let time = chain.head().time + 12;
            chain.mine(time);
        }
    }

    async fn arm(&self, row: Row, transaction: &str) {
        self.server.chain().arm(row, transaction);
    }

    async fn disarm(&self) {
        self.server.chain().disarm();
    }
}

#[tokio::test]
async fn ethereum_by_debug_trace() {
    hostile::all::<World<Debug>>().await;
}

#[tokio::test]
async fn ethereum_by_trace_block() {
    hostile::all::<World<Flat>>().await;
}

#[tokio::test]
async fn tokens_only() {
    hostile::all::<World<Bsc>>().await;
}

/// go-ethereum 1.16, Erigon 3 and reth 1.9, Nethermind 1.35, geth 1.10, and something before the node.
#[tokio::test]
async fn without_a_finalized_block_transfers_are_seen_and_not_confirmed() {
    for text in [
        r#"{"result":null}"#,
        r#"{"error":{"code":-32000,"message":"finalized block not found"}}"#,
        r#"{"error":{"code":-39001,"message":"Unknown block"}}"#,
        r#"{"error":{"code":-32001,"message":"finalized could not be found"}}"#,
        r#"{"error":{"code":-32000,"message":"'finalized' tag not supported on pre-merge network"}}"#,
        r#"{"error":{"code":-32603,"message":"Internal error"}}"#,
        r#"{"result":[]}"#,
        r#"{"result":{"number":null}}"#,
    ] {
        let mut settings = Settings::new(Network::Polygon, String::new());
        settings.internal_transfers = InternalTransfers::Off;
        let server = EvmNode::start(settings.chain_id).await;
        let node = Arc::new(Node::new(&server.url, settings.chain_id).unwrap());
        let chain = EvmChain::new(settings, node, Arc::new(Given), Arc::new(SystemClock));
        let mut reader = Reader::default();
        reader.read(&chain).await;
        let usdt = pair::find(Currency::Usdt, Network::Polygon).unwrap().contract.unwrap();
        server.chain().transfer(usdt, PAYER, OURS, 25);
        server.chain().mine(1_800_000_500);
        server.chain().arm(row("finalized", Odd::Says(200, text), Costs::Nothing), "");
        reader.until(&chain, OURS, &[OutputState::Unconfirmed]).await;
        server.chain().disarm();
        for block in 1..=20 {
            server.chain().mine(1_800_000_500 + block);
        }
        reader.until(&chain, OURS, &[OutputState::Confirmed]).await;
    }
}

/// Opens a chain of this network, and returns it after a transfer that a block has.
async fn with_transfer(settings: Settings) -> (EvmNode, Arc<Node>, EvmChain, Reader, OutputId) {
    let network = settings.network;
    let server = EvmNode::start(settings.chain_id).await;
    let node = Arc::new(Node::new(&server.url, settings.chain_id).unwrap());
    let chain = EvmChain::new(settings, Arc::clone(&node), Arc::new(Given), Arc::new(SystemClock));
    let mut reader = Reader::default();
    reader.read(&chain).await;
    let token = pair::find(Currency::Usdc, network).unwrap().contract.unwrap();
    let transaction = server.chain().transfer(token, PAYER, OURS, 25);
    server.chain().mine(1_800_000_500);
    (server, node, chain, reader, OutputId { network, transaction, index: 0 })
}

const HIGH: &str = r#""0x1000""#;
const HIGHEST: &str = r#""0xffffffffffffffff""#;

#[tokio::test]
async fn a_height_that_only_one_answer_has_confirms_nothing() {
    let check = async |network, call, value| {
        let mut settings = Settings::new(network, String::new());
        settings.internal_transfers = InternalTransfers::Off;
        settings.confirmations = 3;
        let (server, _, chain, mut reader, _) = with_transfer(settings).await;
        server.chain().arm(row(call, Odd::Head("/number", value), Costs::Nothing), "");
        for _ in 0..2 {
            // The blocks up to the false height are missing.
            let _ = reader.try_read(&chain).await;
            assert_eq!(reader.to(OURS)[0].state, OutputState::Unconfirmed, "{network} {call} {value}");
        }
        server.chain().disarm();
        for block in 1..=20 {
            server.chain().mine(1_800_000_500 + block);
        }
        reader.until(&chain, OURS, &[OutputState::Confirmed]).await;
    };
    for value in [HIGH, HIGHEST] {
        check(Network::Bsc, "latest", value).await;
        check(Network::Polygon, "latest", value).await;
        check(Network::Polygon, "finalized", value).await;
        check(Network::Base, "safe", value).await;
    }
}

#[tokio::test]
async fn confirmations_are_counted_between_blocks_that_are_where_they_say() {
    let finality = Finality::with([(Network::Bsc, 3)]);
    let settings = Settings { finality, ..Settings::new(Network::Bsc, String::new()) };
    let (server, node, chain, _, output) = with_transfer(settings.clone()).await;
    (501..504).for_each(|second| server.chain().mine(1_800_000_000 + second));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/keystore.json");
    let signer = Arc::new(Keystore::open(path.as_ref(), "testpassword").unwrap());
    let payouts = EvmBroadcaster::new(settings, node, signer, Arc::new(Numbers::default()));
    let check = async |call, odd, expected: Option<u64>| {
        server.chain().arm(row(call, odd, Costs::Nothing), &output.transaction);
        assert_eq!(chain.confirmations(&output).await.ok(), expected, "{call} {odd:?}");
        let found = chain.look_up(&output.transaction).await.ok().flatten();
        assert_eq!(found.map(|found| found.confirmations), expected, "{call} {odd:?}");
        let is_final = matches!(payouts.known(&output.transaction).await, Ok(Known::Confirmed(3..)));
        assert_eq!(is_final, expected.is_some(), "{call} {odd:?}");
        server.chain().disarm();
    };
    check("latest", Odd::Head("/timestamp", r#""0x1""#), Some(4)).await;
    for value in [HIGH, HIGHEST, r#""0x0""#, r#""0x1""#, r#""-0x1""#, "1.5", "null", "[]"] {
        check("latest", Odd::Head("/number", value), None).await;
        check("eth_getTransactionReceipt", Odd::Is("/blockNumber", value), None).await;
    }
    let other = r#""0x00000000000000000000000000000000000000000000000000000000000000ff""#;
    check("latest", Odd::Head("/hash", other), None).await;
    check("eth_getTransactionReceipt", Odd::Is("/blockHash", other), None).await;
}
