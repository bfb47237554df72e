//! A provider whose servers lag: answers without the logs that are in the block. A real node does not do this on demand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_conformance::{Numbers, Watched, payout};
use checkout_chain_doubles::EvmNode;
use checkout_chain_evm::signer::keystore::Keystore;
use checkout_chain_evm::{EvmBroadcaster, EvmChain, InternalTransfers, Node, Settings};
use checkout_core::{Currency, Network, pair};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::broadcaster::{Broadcaster as _, Unproven, Unsent};
use checkout_domain::ports::chain::{Chain as _, ChainError};
use checkout_domain::ports::store::Stored;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

const OURS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const PAYER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";

struct Given;

#[async_trait]
impl WatchedAddresses for Given {
    async fn ours(&self, _: Network, addresses: &[String]) -> Stored<Vec<String>> {
        Ok(addresses.iter().filter(|address| *address == OURS).cloned().collect())
    }
}

struct World {
    server: EvmNode,
    watched: Watched<EvmChain>,
    cursor: Option<String>,
}

impl World {
    async fn new() -> Self {
        let server = EvmNode::start(1).await;
        let mut settings = Settings::new(Network::Eth, server.url.clone());
        settings.internal_transfers = InternalTransfers::DebugTrace;
        let node = Arc::new(Node::new(&server.url, 1).unwrap());
        let chain = EvmChain::new(settings, node, Arc::new(Given), Arc::new(SystemClock));
        let mut world = Self { server, watched: Watched { chain }, cursor: None };
        world.read().await.unwrap();
        world
    }

    async fn read(&mut self) -> Result<Vec<Transfer>, ChainError> {
        self.watched.try_read(&mut self.cursor).await
    }

    fn pay(&self, value: u128) -> String {
        let usdt = pair::find(Currency::Usdt, Network::Eth).unwrap().contract.unwrap();
        self.server.chain().transfer(usdt, PAYER, OURS, value)
    }
}

fn amounts(transfers: &[Transfer]) -> Vec<u128> {
    transfers.iter().map(|transfer| transfer.amount.atoms()).collect()
}

#[tokio::test]
async fn a_token_payment_is_seen_although_the_provider_answers_without_its_logs() {
    let mut world = World::new().await;
    let hash = world.pay(25_000_000);
    world.server.chain().mine(1_800_000_500);
    world.server.chain().lacks_logs = 1;
    let seen = world.read().await.unwrap();
    assert_eq!(amounts(&seen), [25_000_000]);
    assert_eq!((seen[0].output.transaction.as_str(), seen[0].output.index), (hash.as_str(), 1));
    world.pay(7);
    world.server.chain().mine(1_800_000_512);
    assert_eq!(amounts(&world.read().await.unwrap()), [7], "logs and receipts tell the same");
}

/// Nothing is passed over: the block is read again until the provider has what is in it.
#[tokio::test]
async fn a_provider_without_logs_and_receipts_is_asked_again() {
    let mut world = World::new().await;
    world.pay(25_000_000);
    world.server.chain().mine(1_800_000_500);
    (world.server.chain().lacks_logs, world.server.chain().lacks_receipts) = (2, true);
    for _ in 0..2 {
        let error = world.read().await.unwrap_err().to_string();
        assert!(error.contains("no logs of the block, and no receipt"), "{error}");
    }
    world.server.chain().lacks_receipts = false;
    assert_eq!(amounts(&world.read().await.unwrap()), [25_000_000]);
}

/// Most blocks have no log of these contracts, and their bloom filter says so.
#[tokio::test]
async fn a_block_that_cannot_have_a_payment_costs_no_receipts() {
    let mut world = World::new().await;
    let requests = |world: &World| world.server.chain().requests;
    let before = requests(&world);
    world.server.chain().put(PAYER, OURS, 0, Vec::new());
    world.server.chain().mine(1_800_000_500);
    world.read().await.unwrap();
    let usual = requests(&world) - before;
    assert!(usual <= 6, "{usual} requests for a block");
}

fn signer() -> Arc<Keystore> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/keystore.json");
    Arc::new(Keystore::open(path.as_ref(), "testpassword").unwrap())
}

/// A server without the receipt of a mined payout knows no more than its nonce.
#[tokio::test]
async fn a_mined_payout_is_not_refused_for_the_lack_of_its_receipt() {
    let server = EvmNode::start(1).await;
    let node = Arc::new(Node::new(&server.url, 1).unwrap());
    let signer = signer();
    let settings = Settings::new(Network::Eth, server.url.clone());
    let broadcaster = EvmBroadcaster::new(settings, node, signer, Arc::new(Numbers::default()));
    let paid = broadcaster.sign(&payout((Currency::Eth, Network::Eth), PAYER, None, 5)).await.unwrap();
    broadcaster.broadcast(&paid).await.unwrap();
    for block in 1..=5 {
        server.chain().mine(1_800_000_500 + 12 * block);
    }
    server.chain().lacks_receipts = true;
    let unsent = broadcaster.broadcast(&paid).await.unwrap_err();
    assert!(matches!(&unsent, Unsent::Unavailable(why) if why.is::<Unproven>()), "{unsent:?}");
    server.chain().lacks_receipts = false;
    broadcaster.broadcast(&paid).await.unwrap();
}

#[tokio::test]
async fn every_method_is_tried() {
    let world = World::new().await;
    let checks = world.watched.chain.methods().await;
    let said: Vec<_> = checks.iter().map(|check| check.detail.as_str()).collect();
    assert_eq!(said, ["8 answer", "20 calls in one request"]);
}

/// A contract on Ethereum sends under an alias that has no code on the rollup: nobody can spend what goes back there.
#[tokio::test]
async fn a_refund_does_not_go_to_the_alias_of_a_contract() {
    let check = async |network: Network, message_type: u8, expected: Option<NoRefundAddress>| {
        let chain_id = network.spec().chain_id().unwrap();
        let server = EvmNode::start(chain_id).await;
        let hash = server.chain().put(PAYER, OURS, 5, Vec::new());
        server.chain().pending.last_mut().unwrap().message_type = message_type;
        server.chain().mine(1_800_000_500);
        let node = Arc::new(Node::new(&server.url, chain_id).unwrap());
        let settings = Settings::new(network, server.url.clone());
        let broadcaster = EvmBroadcaster::new(settings, node, signer(), Arc::new(Numbers::default()));
        let refund = payout((Currency::Eth, network), PAYER, None, 5);
        let deposit = OutputId { network, transaction: hash, index: 0 };
        let judged = broadcaster.no_refund_address(&refund, &deposit).await.unwrap();
        assert_eq!(judged, expected, "{network}, type {message_type:#x}");
    };
    let contract = Some(NoRefundAddress::Contract);
    check(Network::Base, 0, None).await;
    check(Network::Base, 4, None).await;
    check(Network::Base, 0x7e, contract).await;
    check(Network::Arbitrum, 0, None).await;
    check(Network::Arbitrum, 0x64, contract).await;
    check(Network::Arbitrum, 0x68, contract).await;
    check(Network::Eth, 0, None).await;
}
