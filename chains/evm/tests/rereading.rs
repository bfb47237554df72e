//! Entries that are read again while the chain, or the server behind the URL, changes. Money is never credited twice, and never lost
//! without being listed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_conformance::{Deposits, record};
use checkout_chain_doubles::EvmNode;
use checkout_chain_doubles::evm::chain::{Call, Log, TRANSFER};
use checkout_chain_doubles::hostile::{Costs, Odd, Row, row};
use checkout_chain_evm::{EvmChain, InternalTransfers, Node, Settings};
use checkout_core::{Currency, Network, pair};
use checkout_domain::chain::OutputState;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::ports::Chain as _;
use checkout_domain::ports::rereading::{Reread, Rereading as _};
use checkout_domain::ports::store::Stored;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

const OURS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const PAYER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const CONTRACT: &str = "0xdbf03b407c01e7cd3cbea99509d93f8dddc8c6fb";

struct Given;

#[async_trait]
impl WatchedAddresses for Given {
    async fn ours(&self, _: Network, addresses: &[String]) -> Stored<Vec<String>> {
        Ok(addresses.iter().filter(|address| *address == OURS).cloned().collect())
    }
}

/// A node, its chain, and what a gateway stores.
struct World {
    server: EvmNode,
    chain: EvmChain,
    cursor: Option<String>,
    deposits: Deposits,
    open: Vec<SetAside>,
}

fn log(value: u128) -> Log {
    let usdt = pair::find(Currency::Usdt, Network::Eth).unwrap().contract.unwrap();
    let word = |address: &str| format!("0x{:0>64}", address.trim_start_matches("0x").to_ascii_lowercase());
    let topics = vec![TRANSFER.to_owned(), word(PAYER), word(OURS)];
    Log { address: usdt.to_ascii_lowercase(), topics, data: format!("0x{value:064x}") }
}

impl World {
    async fn new() -> Self {
        let server = EvmNode::start(1).await;
        let mut settings = Settings::new(Network::Eth, server.url.clone());
        settings.internal_transfers = InternalTransfers::DebugTrace;
        let node = Arc::new(Node::new(&server.url, 1).unwrap());
        let chain = EvmChain::new(settings, node, Arc::new(Given), Arc::new(SystemClock));
        let (cursor, deposits, open) = (None, Deposits::new(), Vec::new());
        let mut world = Self { server, chain, cursor, deposits, open };
        world.read().await.unwrap();
        world
    }

    /// Logs in one transaction.
    fn pay_logs(&self, values: &[u128]) -> String {
        self.server.chain().put(PAYER, CONTRACT, 0, values.iter().copied().map(log).collect())
    }

    fn mine(&self, blocks: u64) {
        let mut chain = self.server.chain();
        for _ in 0..blocks {
            let time = chain.head().time + 12;
            chain.mine(time);
        }
    }

    /// Later blocks have other hashes than those that were abandoned.
    fn reorganise(&self, depth: usize) {
        let mut chain = self.server.chain();
        let time = chain.head().time + 1;
        chain.reorganise(depth);
        chain.mine(time);
    }

    fn arm(&self, row: Row, transaction: &str) {
        self.server.chain().arm(row, transaction);
    }

    async fn read(&mut self) -> Result<(), String> {
        loop {
            let changes =
                self.chain.changes(self.cursor.as_deref()).await.map_err(|error| error.to_string())?;
            if self.cursor.as_ref() == Some(&changes.cursor) {
                return Ok(());
            }
            record(&mut self.deposits, changes.transfers);
            for entry in changes.set_aside {
                self.open.retain(|open| (&open.transaction, &open.part) != (&entry.transaction, &entry.part));
                self.open.push(entry);
            }
            self.cursor = Some(changes.cursor);
            if !changes.more {
                return Ok(());
            }
        }
    }

    /// Like the gateway: what was read is recorded with the cursor, and its entry is off the list.
    async fn read_again(&mut self) {
        for entry in std::mem::take(&mut self.open) {
            if !self.settles(&entry).await {
                self.open.push(entry);
            }
        }
    }

    async fn settles(&mut self, entry: &SetAside) -> bool {
        let (transfers, is_gone) = match self.chain.read_again(entry).await {
            Ok(Reread::Read(transfers)) => (transfers, false),
            Ok(Reread::Gone) => (Vec::new(), true),
            Ok(Reread::Still(_)) | Err(_) => return false,
        };
        let cursor = self.cursor.clone().unwrap();
        match self.chain.rejoin(&cursor, entry, transfers).await {
            Ok(Some(_)) if is_gone => false,
            Ok(Some(rejoined)) => {
                record(&mut self.deposits, rejoined.transfers);
                self.cursor = Some(rejoined.cursor);
                true
            }
            Ok(None) => true,
            Err(_) => false,
        }
    }

    /// The amounts that are credited, sorted.
    fn credited(&self) -> Vec<u128> {
        let deposits = self.deposits.values().filter(|deposit| deposit.state == OutputState::Confirmed);
        let mut amounts: Vec<u128> = deposits.map(|deposit| deposit.amount.atoms()).collect();
        amounts.sort_unstable();
        amounts
    }
}

const NO_RECEIPT: Row = row("receipts", Odd::Is("", "null"), Costs::Entry);

/// More blocks than are read at once, so that the odd one is not the newest.
const LATER: u64 = 24;

async fn with_an_entry() -> (World, String) {
    let mut world = World::new().await;
    let odd = world.pay_logs(&[5]);
    world.pay_logs(&[6]);
    world.arm(NO_RECEIPT, &odd);
    world.mine(LATER);
    world.read().await.unwrap();
    assert_eq!((world.credited(), world.open.len()), (vec![6], 1));
    world.server.chain().disarm();
    (world, odd)
}

/// It had its confirmations, and nothing was read while another branch took its block.
#[tokio::test]
async fn a_transfer_that_moved_to_a_later_block_is_told_without_its_confirmations_first() {
    let mut world = World::new().await;
    world.pay_logs(&[7]);
    world.mine(3);
    world.read().await.unwrap();
    assert_eq!(world.credited(), [7]);
    let waiting = {
        let mut chain = world.server.chain();
        chain.reorganise(3);
        std::mem::take(&mut chain.pending)
    };
    {
        let mut chain = world.server.chain();
        let time = chain.head().time + 1;
        chain.mine(time);
    }
    world.mine(2);
    world.server.chain().pending = waiting;
    world.mine(1);
    let changes = world.chain.changes(world.cursor.as_deref()).await.unwrap();
    let states: Vec<OutputState> = changes.transfers.iter().map(|transfer| transfer.state).collect();
    assert_eq!(states, [OutputState::Unconfirmed, OutputState::Confirmed]);
}

#[tokio::test]
async fn a_server_that_lags_does_not_take_an_entry_off_the_list() {
    let (mut world, _) = with_an_entry().await;
    let all = world.server.chain().blocks.clone();
    world.server.chain().blocks.truncate(400);
    world.read_again().await;
    assert_eq!(world.open.len(), 1);
    world.server.chain().blocks = all;
    world.read_again().await;
    assert_eq!((world.credited(), world.open.len()), (vec![5, 6], 0));
}

#[tokio::test]
async fn a_server_on_a_fork_does_not_take_an_entry_off_the_list() {
    let (mut world, _) = with_an_entry().await;
    let all = world.server.chain().blocks.clone();
    let depth = usize::try_from(LATER).unwrap();
    world.reorganise(depth);
    world.server.chain().pending.clear();
    world.mine(LATER);
    world.read_again().await;
    assert_eq!(world.open.len(), 1);
    world.server.chain().blocks = all;
    world.read_again().await;
    assert_eq!((world.credited(), world.open.len()), (vec![5, 6], 0));
}

/// Its transaction moved, and is read with its new block.
#[tokio::test]
async fn an_entry_of_an_abandoned_block_is_credited_with_its_new_block() {
    let (mut world, _) = with_an_entry().await;
    world.reorganise(usize::try_from(LATER).unwrap());
    world.mine(LATER);
    world.read().await.unwrap();
    assert_eq!(world.credited(), [5, 6]);
    world.read_again().await;
    assert_eq!((world.credited(), world.open.len()), (vec![5, 6], 0));
}

/// Another server still has the abandoned block.
#[tokio::test]
async fn an_entry_of_an_abandoned_block_is_not_credited_without_its_transaction() {
    let (mut world, _) = with_an_entry().await;
    let before = world.server.chain().blocks.clone();
    world.reorganise(usize::try_from(LATER).unwrap());
    world.server.chain().blocks.last_mut().unwrap().transactions.clear();
    world.mine(LATER);
    world.read().await.unwrap();
    assert!(world.credited().is_empty());
    let after = std::mem::replace(&mut world.server.chain().blocks, before);
    world.read_again().await;
    world.server.chain().blocks = after;
    world.mine(1);
    world.read().await.unwrap();
    assert!(world.credited().is_empty(), "{:?}", world.deposits);
}

#[tokio::test]
async fn an_entry_is_read_again_when_its_block_is_older_than_the_cursor_remembers() {
    let (mut world, _) = with_an_entry().await;
    world.mine(400);
    world.read().await.unwrap();
    world.read_again().await;
    assert_eq!((world.credited(), world.open.len()), (vec![5, 6], 0));
    world.mine(30);
    world.read().await.unwrap();
    assert_eq!(world.credited(), [5, 6]);
}

/// One of two equal transfers is credited, the other one is odd.
#[tokio::test]
async fn of_equal_transfers_in_a_transaction_each_is_credited_once() {
    for (values, odd) in [([5, 5], 0), ([5, 5], 1), ([5, 7], 0), ([5, 7], 1)] {
        let mut world = World::new().await;
        let hash = world.pay_logs(&values);
        let pointer = ["/logs/0/topics", "/logs/1/topics"][odd];
        world.arm(row("receipts", Odd::Is(pointer, "null"), Costs::Entry), &hash);
        world.mine(LATER);
        world.read().await.unwrap();
        assert_eq!((world.credited().len(), world.open.len()), (1, 1), "{values:?} {odd}");
        world.server.chain().disarm();
        world.read_again().await;
        assert_eq!((world.credited(), world.open.len()), (values.to_vec(), 0), "{values:?} {odd}");
    }
}

/// The last one of its block: no place shows that it is missing.
#[tokio::test]
async fn a_transaction_that_its_block_leaves_out_stays_on_the_list() {
    let mut world = World::new().await;
    world.pay_logs(&[6]);
    let odd = world.server.chain().put(PAYER, OURS, 5, Vec::new());
    world.arm(NO_RECEIPT, &odd);
    world.mine(LATER);
    world.read().await.unwrap();
    assert_eq!((world.credited(), world.open.len()), (vec![6], 1), "{:?}", world.open);
    world.arm(row("block", Odd::LeftOut, Costs::Entry), &odd);
    world.read_again().await;
    assert_eq!((world.credited(), world.open.len()), (vec![6], 1));
    world.server.chain().disarm();
    world.read_again().await;
    assert_eq!((world.credited(), world.open.len()), (vec![5, 6], 0));
}

/// A rescan gets an odd answer about one that was credited.
#[tokio::test]
async fn what_a_rescan_sets_aside_is_not_gone() {
    for values in [vec![5], vec![5, 5], vec![5, 7]] {
        let mut world = World::new().await;
        let hash = world.pay_logs(&values);
        let block = world.server.chain().head().number + 1;
        world.mine(LATER);
        world.read().await.unwrap();
        assert_eq!(world.credited(), values);
        world.arm(NO_RECEIPT, &hash);
        let cursor = world.chain.rescan_cursor(block, world.cursor.as_deref()).await.unwrap();
        world.cursor = Some(cursor);
        world.read().await.unwrap();
        assert_eq!((world.credited(), world.open.len()), (values.clone(), 1), "{:?}", world.open);
        world.server.chain().disarm();
        world.read_again().await;
        assert_eq!((world.credited(), world.open.len()), (values, 0));
    }
}

/// Its value cannot be read, its contracts cannot be traced, and one of its logs has no receipt.
#[tokio::test]
async fn a_transaction_with_several_odd_parts_is_credited_part_by_part() {
    let mut world = World::new().await;
    let hash = world.pay_logs(&[5, 6]);
    {
        let mut chain = world.server.chain();
        let paid = chain.pending.last_mut().unwrap();
        let call = Call {
            from: CONTRACT.into(),
            to: OURS.to_ascii_lowercase(),
            wei: 7,
            input: 0,
            calls: Vec::new(),
        };
        (paid.to, paid.wei, paid.calls) = (OURS.to_ascii_lowercase(), 8, vec![call]);
    }
    world.arm(row("block", Odd::Is("/result/transactions/0/value", "null"), Costs::Entry), &hash);
    world.mine(LATER);
    world.read().await.unwrap();
    assert_eq!(world.open.len(), 1);
    assert!(world.credited().len() < 4);
    for odd in [
        row("debug_trace", Odd::Says(200, r#"{"result":null}"#), Costs::Entry),
        row("receipts", Odd::Is("/status", "null"), Costs::Entry),
        row("eth_getLogs", Odd::Says(200, r#"{"result":[]}"#), Costs::Entry),
    ] {
        world.arm(odd, &hash);
        world.read_again().await;
        assert!(world.credited().len() == 4 || !world.open.is_empty(), "{odd}: {:?}", world.credited());
    }
    world.server.chain().disarm();
    world.read_again().await;
    assert_eq!((world.credited(), world.open.len()), (vec![5, 6, 7, 8], 0));
}

/// A server left out the log before, in every answer.
#[tokio::test]
async fn a_rescan_finds_the_same_deposit_although_a_log_was_left_out_before_it() {
    for (values, left_out) in [([5, 6], 0), ([5, 5], 0), ([5, 6], 1)] {
        let mut world = World::new().await;
        world.pay_logs(&values);
        let whole = world.server.chain().pending.clone();
        world.server.chain().pending[0].logs.remove(left_out);
        world.mine(40);
        world.read().await.unwrap();
        let block = world.server.chain().blocks[401].number;
        world.server.chain().blocks[401].transactions = whole;
        assert_eq!(world.credited().len(), 1);
        let cursor = world.chain.rescan_cursor(block, world.cursor.as_deref()).await.unwrap();
        world.cursor = Some(cursor);
        world.read().await.unwrap();
        assert_eq!(world.credited(), values, "without {left_out}");
    }
}

/// Three servers stand behind the URL: a good one, one that lags, and one on a fork.
#[tokio::test]
async fn servers_that_take_turns_cost_nothing() {
    for seed in 1..=16_u64 {
        let mut world = World::new().await;
        let mut paid = Vec::new();
        for round in 0..8_u64 {
            let amount = 100 * u128::from(round);
            world.pay_logs(&[amount + 1, amount + 2, amount + 2]);
            world.server.chain().put(PAYER, OURS, amount + 3, Vec::new());
            let call = Call {
                from: CONTRACT.into(),
                to: OURS.to_ascii_lowercase(),
                wei: amount + 4,
                input: 0,
                calls: Vec::new(),
            };
            world.server.chain().call(PAYER, vec![call]);
            paid.extend([1, 2, 2, 3, 4].map(|more| amount + more));
            world.mine([1, 2, LATER][usize::try_from((seed + round) % 3).unwrap()]);
            world.server.chain().flips = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for _ in 0..3 {
                let _ = world.read().await;
                world.read_again().await;
            }
            world.server.chain().flips = 0;
            if (seed + round) % 4 == 0 {
                world.reorganise(2);
            }
        }
        world.mine(LATER);
        world.read().await.unwrap();
        for _ in 0..3 {
            world.read_again().await;
        }
        assert_eq!(world.credited(), paid, "seed {seed}: {:?}", world.open);
        assert!(world.open.is_empty(), "seed {seed}: {:?}", world.open);
    }
}
