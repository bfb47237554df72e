//! An Esplora server over `litecoind`: blocks, transactions and reorganisations are the node's.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use checkout_chain_addresses::DepositKeys;
use checkout_chain_bitcoin::{Environment, EsploraChain, Ports, Settings};
use checkout_chain_conformance::{Reader, TestChain};
use checkout_chain_doubles::{Esplora, Fault};
use checkout_core::Network;
use checkout_domain::chain::OutputState::{Confirmed, Unconfirmed, Vanished};
use checkout_domain::chain::source::{Level, fault};
use checkout_domain::ports::Stored;
use checkout_domain::ports::addresses::Addresses as _;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::{GivenAddresses, WatchedAddresses};
use checkout_test_nodes::{Node, litecoind};
use serde_json::json;

use crate::extension_blocks::{MATURITY, hidden_wallet};
use crate::{OnNode, account, environments};

/// Addresses given to payers, with the second of their quote.
#[derive(Default)]
pub(crate) struct Given(Mutex<Vec<(String, u64)>>);

impl Given {
    /// An address, quoted at this second.
    pub(crate) fn give(&self, address: &str, second: u64) {
        let mut given = self.0.lock().unwrap();
        given.retain(|(known, _)| known != address);
        given.push((address.to_owned(), second));
    }
}

#[async_trait]
impl GivenAddresses for Given {
    async fn quoted_since(&self, _: Network, since: u64, _: u32) -> Stored<Vec<(String, u64)>> {
        Ok(self.0.lock().unwrap().iter().filter(|(_, at)| *at >= since).cloned().collect())
    }

    async fn given_after(&self, _: Network, after: &str, limit: u32) -> Stored<Vec<String>> {
        let mut given: Vec<String> =
            self.0.lock().unwrap().iter().map(|(address, _)| address.clone()).collect();
        given.sort();
        given.retain(|address| address.as_str() > after);
        given.truncate(limit as usize);
        Ok(given)
    }
}

#[async_trait]
impl WatchedAddresses for Given {
    async fn ours(&self, _: Network, addresses: &[String]) -> Stored<Vec<String>> {
        let given = self.0.lock().unwrap();
        let is_ours = |address: &&String| given.iter().any(|(known, _)| known == *address);
        Ok(addresses.iter().filter(is_ours).cloned().collect())
    }
}

pub(crate) struct OnEsplora {
    on_node: OnNode,
    pub(crate) server: Esplora,
    pub(crate) given: Arc<Given>,
    pub(crate) chain: EsploraChain,
}

pub(crate) const NOW: u64 = u64::MAX;

impl OnEsplora {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// With more flags of the node.
    async fn start_with(flags: &[&str]) -> Self {
        let program = litecoind().expect("litecoind is not installed: `cargo xtask test` does");
        let on_node = OnNode::on(Node::start(&program, flags), Network::Ltc);
        let server = Esplora::start(on_node.node.rpc()).await;
        let given = Arc::new(Given::default());
        let chain = chain(&server, &given, Environment::Regtest);
        Self { on_node, server, given, chain }
    }

    pub(crate) fn node(&self) -> &Node {
        &self.on_node.node
    }

    /// Another process of the gateway: nothing but the stored cursor remains.
    fn restart(&mut self) {
        self.chain = chain(&self.server, &self.given, Environment::Regtest);
    }

    /// The n-th address, quoted at this second.
    pub(crate) fn give(&self, index: u32, second: u64) -> String {
        let address = self.on_node.addresses.address(Network::Ltc, index).unwrap();
        self.given.give(&address, second);
        address
    }
}

pub(crate) fn chain(server: &Esplora, given: &Arc<Given>, environment: Environment) -> EsploraChain {
    let settings = Settings {
        esplora: Some(server.url.clone()),
        requests_per_second: Some(1_000),
        network: environment,
        wallet: "unused".to_owned(),
        ..Settings::default()
    };
    let key = account(Network::Ltc);
    let keys = [(Network::Ltc, key.as_str())];
    let addresses = Arc::new(DepositKeys::read(keys, &environments(Network::Ltc)).unwrap());
    let watched = Arc::clone(given) as Arc<dyn WatchedAddresses>;
    let ports = Ports { watched, given: Arc::clone(given) as _, addresses, clock: Arc::new(SystemClock) };
    EsploraChain::new(Network::Ltc, &settings, &key, ports).unwrap()
}

#[async_trait]
impl TestChain for OnEsplora {
    fn chain(&self) -> &dyn Chain {
        &self.chain
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        None
    }

    async fn other_address(&self) -> String {
        self.on_node.other_address().await
    }

    async fn deposit_address(&self, index: u32) -> String {
        self.give(index, NOW)
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

    async fn double_spend(&self, id: &str) {
        self.on_node.double_spend(id).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suite_through_an_esplora_server() {
    checkout_chain_conformance::all(&OnEsplora::start().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_the_server_makes_nothing_vanish() {
    let on = OnEsplora::start().await;
    let (paid, waits) = (on.give(1, NOW), on.give(2, NOW));
    let mut reader = Reader::default();
    on.node().send(&paid, "0.5");
    on.node().mine(1);
    on.node().send(&waits, "0.25");
    reader.until(&on.chain, &paid, &[Confirmed]).await;
    reader.until(&on.chain, &waits, &[Unconfirmed]).await;
    for problem in [Fault::Down, Fault::Garbled] {
        on.server.set_fault(problem);
        assert!(on.chain.changes(reader.cursor.as_deref()).await.is_err(), "{problem:?}");
        assert_eq!(fault(&on.chain.health().await).map(|check| check.subject), Some("connection"));
        assert!(on.chain.tip().await.is_err());
        on.server.set_fault(Fault::None);
        reader.read(&on.chain).await;
        assert_eq!((reader.to(&paid)[0].state, reader.to(&waits)[0].state), (Confirmed, Unconfirmed));
        assert_eq!(fault(&on.chain.health().await), None);
    }
}

/// The server that told the tip has the block of the deposit. The one that is asked about the address lacks it.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_behind_takes_no_confirmed_deposit_back() {
    let mut on = OnEsplora::start().await;
    let address = on.give(1, NOW);
    let mut reader = Reader::default();
    reader.read(&on.chain).await;
    on.node().send(&address, "0.5");
    on.node().mine(1);
    reader.until(&on.chain, &address, &[Confirmed]).await;
    let reports = reader.reports;
    for behind in [&["address"][..], &["address", "block-height"]] {
        on.restart();
        on.server.set_behind(behind);
        on.server.limit_after(None);
        reader.read(&on.chain).await;
        let path = format!("/api/address/{address}/txs");
        assert!(on.server.answered().contains(&path), "{behind:?}");
        assert_eq!((reader.to(&address)[0].state, reader.reports), (Confirmed, reports), "{behind:?}");
    }
    on.server.set_behind(&[]);
    on.node().reorganise(1);
    reader.until(&on.chain, &address, &[Unconfirmed]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_asked_while_the_server_asks_to_wait() {
    let on = OnEsplora::start().await;
    let address = on.give(1, NOW);
    let mut reader = Reader::default();
    reader.read(&on.chain).await;
    on.server.set_fault(Fault::Limited);
    assert!(on.chain.changes(reader.cursor.as_deref()).await.is_err());
    on.server.set_fault(Fault::None);
    let (asked, started) = (on.server.requests(), std::time::Instant::now());
    let checks = on.chain.health().await;
    assert_eq!((checks[0].subject, checks[0].level), ("rate limit", Level::Warning), "{checks:?}");
    on.node().send(&address, "0.5");
    while on.chain.changes(reader.cursor.as_deref()).await.is_err() {
        assert_eq!(on.server.requests(), asked, "it sent Retry-After: 2");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(started.elapsed() > Duration::from_secs(1));
    reader.until(&on.chain, &address, &[Unconfirmed]).await;
}

/// However few requests are answered, what they told is not lost: a payment in a block is reported as soon as its address was
/// answered, and each one once.
#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_inside_a_look_loses_no_deposit_that_was_found() {
    let mut on = OnEsplora::start().await;
    // More than one coin to spend.
    on.node().mine(8);
    let mined: Vec<String> = (0..3).map(|index| on.give(index, NOW)).collect();
    let waiting: Vec<String> = (3..6).map(|index| on.give(index, NOW)).collect();
    for address in &mined {
        on.node().send(address, "0.5");
    }
    on.node().mine(1);
    for address in &waiting {
        on.node().spend_finally(&on.node().coin(), address, 0.25, 0.001);
    }
    for limit in 3..30 {
        on.restart();
        let mut reader = Reader::default();
        on.server.limit_after(Some(limit));
        let changes = on.chain.changes(None).await;
        let answered = on.server.answered();
        on.server.limit_after(None);
        let (transfers, cursor) =
            changes.map_or_else(|_| (Vec::new(), None), |all| (all.transfers, Some(all.cursor)));
        for address in &mined {
            let was_told = answered.contains(&format!("/api/address/{address}/txs"));
            let is_told = transfers.iter().any(|transfer| transfer.to == *address);
            assert_eq!(is_told, was_told, "{limit}: {answered:?}");
        }
        reader.cursor = cursor;
        for transfer in transfers {
            reader.known.insert((transfer.output.transaction.clone(), transfer.output.index), transfer);
        }
        for address in &mined {
            reader.until(&on.chain, address, &[Confirmed]).await;
        }
        for address in &waiting {
            let seen = reader.until(&on.chain, address, &[Unconfirmed]).await;
            assert!(!seen[0].uncertain, "{limit}: it is judged when the server answers");
        }
        let reports = reader.reports;
        reader.read(&on.chain).await;
        assert_eq!(reader.reports, reports, "{limit}: nothing is reported twice");
    }
}

/// An address of long ago is asked for in turn, and after a start or a rescan.
#[tokio::test(flavor = "multi_thread")]
async fn a_late_transfer_to_an_old_address_is_found() {
    let mut on = OnEsplora::start().await;
    let mut reader = Reader::default();
    let addresses: Vec<String> = (0..50).map(|index| on.give(index, 0)).collect();
    reader.read(&on.chain).await;
    on.node().send(&addresses[33], "0.5");
    on.node().mine(1);
    reader.until(&on.chain, &addresses[33], &[Confirmed]).await;

    on.node().send(&addresses[44], "0.5");
    on.node().mine(1);
    on.restart();
    reader.read(&on.chain).await;
    assert_eq!(reader.to(&addresses[44])[0].state, Confirmed, "after a start, in one read");
    // Old transfers are not kept in the cursor, and not reported again.
    on.node().mine(100);
    reader.read(&on.chain).await;
    let reports = reader.reports;
    for _ in 0..60 {
        reader.read(&on.chain).await;
    }
    assert!(
        reader.reports == reports && !reader.cursor.clone().unwrap().contains("rltc1"),
        "{:?}",
        reader.cursor
    );
    reader.cursor = Some(on.chain.rescan_cursor(0, reader.cursor.as_deref()).await.unwrap());
    reader.read(&on.chain).await;
    assert_eq!(reader.reports, reports + 2, "a rescan reports all");
}

/// More transactions than an answer has, and one that spends from the address.
#[tokio::test(flavor = "multi_thread")]
async fn all_pages_of_an_address_are_read() {
    let on = OnEsplora::start().await;
    let address = on.give(1, NOW);
    for _ in 0..6 {
        for _ in 0..10 {
            on.node().send(&address, "0.01");
        }
        on.node().mine(1);
    }
    let mut reader = Reader::default();
    reader.until(&on.chain, &address, &[Confirmed; 60]).await;
}

/// A node that starts again without its memory pool: the transfer can still be mined, and nothing says that it vanished.
#[tokio::test(flavor = "multi_thread")]
async fn a_transfer_that_the_memory_pool_dropped_is_sent_again() {
    // The payer's wallet does not send it again.
    let mut on = OnEsplora::start_with(&["-walletbroadcast=0"]).await;
    let address = on.give(1, NOW);
    let mut reader = Reader::default();
    let id = on.node().spend_finally(&on.node().coin(), &address, 0.5, 0.001);
    reader.until(&on.chain, &address, &[Unconfirmed]).await;
    let pool = |on: &OnEsplora| on.node().call("", "getrawmempool", &json!([]));
    for was_confirmed in [false, true] {
        if was_confirmed {
            on.node().reorganise(1);
        }
        on.on_node.node.stop();
        on.on_node.node.forget_pool();
        on.on_node.node.run();
        assert_eq!(pool(&on), json!([]));
        reader.read(&on.chain).await;
        assert_eq!(reader.to(&address)[0].state, Unconfirmed, "{was_confirmed}");
        assert_eq!(pool(&on), json!([id]), "the adapter sent it: {was_confirmed}");
        on.node().mine(1);
        reader.until(&on.chain, &address, &[Confirmed]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn first_sight_proves_nothing_when_the_fee_is_low_or_the_sender_can_replace_it() {
    let on = OnEsplora::start().await;
    let mut reader = Reader::default();
    for (index, (fee, uncertain)) in (0..).zip([(0.000_005, true), (0.000_05, false)]) {
        let address = on.give(index, NOW);
        on.node().spend_finally(&on.node().coin(), &address, 0.5, fee);
        let seen = reader.until(&on.chain, &address, &[Unconfirmed]).await;
        assert_eq!(seen[0].uncertain, uncertain, "{fee}");
        on.node().mine(1);
    }
    let address = on.give(7, NOW);
    let coin = on.node().coin();
    on.node().spend(&coin, &address, "0.5");
    assert!(reader.until(&on.chain, &address, &[Unconfirmed]).await[0].uncertain, "it signals replacement");
    on.node().spend(&coin, &on.node().address(), "0.4");
    reader.until(&on.chain, &address, &[Vanished]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_another_network_is_refused() {
    let on = OnEsplora::start().await;
    let checks = on.chain.health().await;
    assert!(
        fault(&checks).is_none() && checks.iter().any(|check| check.subject == "addresses"),
        "{checks:?}"
    );
    let wrong = chain(&on.server, &on.given, Environment::Testnet).health().await;
    let said = &fault(&wrong).unwrap().detail;
    assert_eq!(said, "the server is on regtest, and [chains.LTC] says testnet");
}

#[tokio::test(flavor = "multi_thread")]
async fn coins_out_of_an_extension_block_are_credited_when_mature() {
    let on = OnEsplora::start().await;
    let address = on.give(1, NOW);
    hidden_wallet(on.node());
    let mut reader = Reader::default();
    reader.read(&on.chain).await;
    on.node().text("hidden", "sendtoaddress", &json!([address, "3"]));
    on.node().mine(1);
    let seen = reader.until(&on.chain, &address, &[Unconfirmed]).await;
    assert!(seen[0].uncertain && seen[0].from.is_empty(), "{seen:?}");
    on.node().mine(MATURITY - 2);
    reader.read(&on.chain).await;
    assert_eq!(reader.to(&address)[0].state, Unconfirmed);
    on.node().mine(1);
    reader.until(&on.chain, &address, &[Confirmed]).await;
}
