//! Watches one EVM network.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use alloy_primitives::B256;
use async_trait::async_trait;
use checkout_core::{Network, Pair};
use checkout_domain::chain::found::FoundTransaction;
use checkout_domain::chain::held::{self, Held};
use checkout_domain::chain::recognise::recognise;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::source::{self, Check, RATE_LIMIT, Tip};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::rereading::Rereading;
use checkout_domain::ports::watched_addresses::WatchedAddresses;
use checkout_domain::ports::{Chain, ChainError, Changes, Clock};

use crate::confirmed_by::ConfirmedBy;
use crate::cursor::{Cursor, KEEP};
use crate::node::answers::Header;
use crate::node::block::Block;
use crate::node::{At, BLOCKS, Node};
use crate::patience::Patience;
use crate::settings::Settings;
use crate::transfers::{Found, Reader};
use crate::{found, health};
use checkout_chain_http::NodeError;

/// Blocks below the newest one at which a database without a cursor starts. No address was given out earlier.
const START: u64 = 16;

pub struct EvmChain {
    pub(crate) settings: Settings,
    pub(crate) node: Arc<Node>,
    pub(crate) reader: Reader,
    clock: Arc<dyn Clock>,
    patience: Patience,
    /// Checked once; does not change.
    setup: OnceLock<Vec<Check>>,
}

/// The fork point between the node's chain and the chain read so far.
enum Common {
    /// The last common block.
    Block(u64),
    /// The node is behind, but has no conflicting blocks.
    Behind,
}

impl EvmChain {
    pub fn new(
        settings: Settings,
        node: Arc<Node>,
        watched: Arc<dyn WatchedAddresses>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let reader = Reader::new(Arc::clone(&node), &settings, watched);
        Self { settings, node, reader, clock, patience: Patience::default(), setup: OnceLock::new() }
    }

    async fn start(&self, latest: &Header) -> Result<Cursor, ChainError> {
        let height = latest.height().saturating_sub(START);
        let header = self.node.header(At::Number(height)).await?.ok_or_else(|| missing(height))?;
        Ok(Cursor::new(self.settings.chain_id, vec![(height, header.hash)]))
    }

    async fn common(&self, cursor: &Cursor, latest: &Header) -> Result<Common, ChainError> {
        let is_behind = latest.height() < cursor.head().0;
        let known: Vec<(u64, B256)> =
            cursor.blocks.iter().rev().copied().filter(|(height, _)| *height <= latest.height()).collect();
        // The newest block nearly always matches.
        if let Some((height, hash)) = known.first() {
            let header = self.node.header(At::Number(*height)).await?.ok_or_else(|| missing(*height))?;
            if header.hash == *hash {
                return Ok(if is_behind { Common::Behind } else { Common::Block(*height) });
            }
        }
        for known in known.chunks(16) {
            let heights: Vec<u64> = known.iter().map(|(height, _)| *height).collect();
            for ((height, hash), header) in known.iter().zip(self.node.headers(&heights).await?) {
                if header.ok_or_else(|| missing(*height))?.hash == *hash {
                    return Ok(Common::Block(*height));
                }
            }
        }
        let depth = cursor.head().0.saturating_sub(cursor.blocks[0].0);
        Err(format!(
            "the node has none of the last {depth} blocks that were read, up to block {} {}: it is on another chain, or \
             far behind",
            cursor.head().0,
            cursor.head().1
        ).into())
    }

    /// Returns the blocks above a known one, each the child of the previous one. `None`: the first is no child of it.
    async fn blocks_after(&self, parent: (u64, B256), latest: u64) -> Result<Option<Vec<Block>>, ChainError> {
        let (height, mut parent) = parent;
        let heights: Vec<u64> = (height + 1..=latest.min(height + BLOCKS)).collect();
        let mut blocks = Vec::new();
        for (height, answer) in heights.iter().zip(self.node.blocks(&heights).await?) {
            let block = match answer {
                Ok(Some(block)) => block,
                // What was read before it is stored first.
                _ if !blocks.is_empty() => break,
                Ok(None) if self.patience.lasts(parent, Instant::now()) => break,
                Ok(None) => {
                    return Err(format!("the node lacks block {height}, and its newest is {latest}").into());
                }
                Err(error) => return Err(error.into()),
            };
            if block.number != *height || block.parent_hash != parent {
                return Ok((!blocks.is_empty()).then_some(blocks));
            }
            parent = block.hash;
            blocks.push(block);
        }
        Ok(Some(blocks))
    }

    /// Returns the last block that the node's chain and the one read so far share, and the blocks after it. `None`: the node
    /// is behind, but has no conflicting blocks.
    async fn next_blocks(
        &self,
        cursor: &Cursor,
        latest: &Header,
    ) -> Result<Option<(u64, Vec<Block>)>, ChainError> {
        let head = cursor.head();
        // Nearly always, the next block is the child of the last one.
        if latest.height() > head.0
            && let Some(blocks) = self.blocks_after(head, latest.height()).await?
        {
            return Ok(Some((head.0, blocks)));
        }
        let Common::Block(base) = self.common(cursor, latest).await? else { return Ok(None) };
        let known = cursor.blocks.iter().copied().find(|(height, _)| *height == base);
        let parent = known.ok_or_else(|| format!("block {base} was not read"))?;
        match self.blocks_after(parent, latest.height()).await? {
            Some(blocks) => Ok(Some((base, blocks))),
            None => Err(format!("the chain was reorganised after block {base} while it was read").into()),
        }
    }

    /// The newest height at which a transfer is confirmed. `read_to`: the last block that was read, because what a node says of its
    /// newest one can be wrong.
    pub(crate) async fn confirmed_to(&self, cursor: &Cursor, read_to: u64) -> Result<u64, ChainError> {
        let deep = read_to.saturating_add(1).saturating_sub(self.required_confirmations());
        let tag = match self.settings.confirmed_by {
            ConfirmedBy::Latest => return Ok(deep),
            ConfirmedBy::Safe => At::Safe,
            ConfirmedBy::Finalized => At::Finalized,
        };
        let tagged = match self.node.header(tag).await {
            Err(error) if error.is_limit() || matches!(error, NodeError::Unreachable(_)) => {
                return Err(error.into());
            }
            // A node that has just started may have no such block yet. The check of the source tells it.
            answer => answer.ok().flatten(),
        };
        let Some(tagged) = tagged else { return Ok(0) };
        let is_placed = self.is_of(cursor, tagged.height(), tagged.hash).await?;
        Ok(if is_placed { deep.min(tagged.height()) } else { 0 })
    }

    /// Reports held transfers that are confirmed by now.
    fn confirm(&self, cursor: &mut Cursor, confirmed_to: u64) -> Result<Vec<Transfer>, ChainError> {
        let mut news = Vec::new();
        for held in cursor.held.iter_mut().filter(|held| !held.confirmed && held.height <= confirmed_to) {
            held.confirmed = true;
            news.push(self.report(held, OutputState::Confirmed)?);
        }
        Ok(news)
    }

    /// Reads the blocks after `base`, and reports transfers of abandoned blocks that moved or vanished.
    async fn read_on(
        &self,
        cursor: &mut Cursor,
        (base, blocks): (u64, Vec<Block>),
        latest: u64,
    ) -> Result<(Vec<Transfer>, Vec<SetAside>), ChainError> {
        let Found { transfers: mut found, set_aside, may_lag } = self.reader.read(&blocks).await?;
        let read_to = blocks.last().map_or(base, |block| block.number);
        if may_lag
            && read_to >= latest
            && self.patience.lasts(cursor.head().1, Instant::now())
            && let Some(missing) = set_aside.first()
        {
            return Err(
                format!("{} in block {}: {}", missing.transaction, missing.height, missing.why).into()
            );
        }
        let mut orphans = cursor.cut(base);
        let is_awaited = !found.is_empty() || !cursor.waiting(self.network()).is_empty();
        let confirmed_to = if is_awaited { self.confirmed_to(cursor, read_to).await? } else { 0 };
        let mut news = self.confirm(cursor, confirmed_to)?;
        let places = orphans.iter().filter(|orphan| orphan.confirmed);
        let places: BTreeMap<OutputId, u64> =
            places.map(|orphan| (orphan.output(self.network()), orphan.height)).collect();
        let mut each: Vec<&mut Transfer> = found.iter_mut().map(|(_, transfer)| transfer).collect();
        recognise(&mut orphans, self.network(), &mut each);
        for (height, transfer) in found {
            let is_confirmed = height <= confirmed_to;
            let state = if is_confirmed { OutputState::Confirmed } else { OutputState::Unconfirmed };
            let transfer = Transfer { state, ..transfer };
            let block = blocks.iter().find(|block| block.number == height);
            let block = block.map(|block| block.hash.to_string()).unwrap_or_default();
            cursor.held.push(Held::new(height, &transfer).in_block(&block));
            if is_confirmed && places.get(&transfer.output).is_some_and(|before| *before < height) {
                news.push(transfer.unconfirmed());
            }
            news.push(transfer);
        }
        // What was read before a rescan, or a deep reorganisation, is judged with its blocks. What is set
        // aside of the same block is not gone.
        cursor.held.extend(held::cut(&mut orphans, read_to));
        cursor
            .held
            .extend(orphans.extract_if(.., |orphan| set_aside.iter().any(|entry| may_be(entry, orphan))));
        for orphan in &orphans {
            news.push(self.report(orphan, OutputState::Vanished)?);
        }
        for block in &blocks {
            cursor.push(block.number, block.hash, self.keep());
        }
        Ok((news, set_aside))
    }

    /// How deep a reorganisation can be.
    fn keep(&self) -> u64 {
        KEEP.max(self.settings.finality.followed(self.settings.network).into())
    }

    fn report(&self, held: &Held, state: OutputState) -> Result<Transfer, ChainError> {
        held.transfer(self.settings.network, state).map_err(ChainError::from)
    }
}

/// An entry without a readable name can be any transaction of its block.
fn may_be(entry: &SetAside, held: &Held) -> bool {
    let is_named = entry.transaction.parse::<B256>().is_ok();
    held.is_in(&entry.block) && (!is_named || entry.transaction == held.transaction())
}

#[async_trait]
impl Chain for EvmChain {
    fn network(&self) -> Network {
        self.settings.network
    }

    fn reads(&self, pair: &Pair) -> bool {
        self.settings.reads(pair)
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        self.node.verify().await?;
        let latest = self.node.latest().await?;
        let (mut now, is_new) = match cursor {
            Some(text) => (Cursor::read(text, self.settings.chain_id)?, false),
            None => (self.start(&latest).await?, true),
        };
        let unchanged = |now: &Cursor| {
            Changes::new(Vec::new(), cursor.map_or_else(|| now.to_text(), str::to_owned), false)
        };
        if !is_new && now.head() == (latest.height(), latest.hash) {
            if self.settings.confirmed_by == ConfirmedBy::Latest || now.waiting(self.network()).is_empty() {
                return Ok(unchanged(&now));
            }
            let confirmed_to = self.confirmed_to(&now, latest.height()).await?;
            let transfers = self.confirm(&mut now, confirmed_to)?;
            return Ok(Changes::new(transfers, now.to_text(), false));
        }
        let Some(next) = self.next_blocks(&now, &latest).await? else {
            return Ok(unchanged(&now));
        };
        let (transfers, set_aside) = self.read_on(&mut now, next, latest.height()).await?;
        let changes = Changes::new(transfers, now.to_text(), now.head().0 < latest.height());
        Ok(Changes { set_aside, ..changes })
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        self.node.verify().await?;
        let transaction = output.transaction.parse().map_err(|error| format!("{error}"))?;
        let Some(receipt) = self.node.receipt(transaction).await? else { return Ok(0) };
        if !receipt.succeeded() {
            return Ok(0);
        }
        Ok(self.node.depth(&receipt, 0).await?)
    }

    fn required_confirmations(&self) -> u64 {
        self.settings.confirmations.max(1)
    }

    fn read_up_to(&self, cursor: &str) -> Option<u64> {
        Cursor::read(cursor, self.settings.chain_id).ok().map(|cursor| cursor.head().0)
    }

    async fn waiting(&self, cursor: &str) -> Result<Vec<(OutputId, u64)>, ChainError> {
        let cursor = Cursor::read(cursor, self.settings.chain_id)?;
        Ok(cursor.waiting(self.settings.network))
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        self.node.verify().await?;
        let hash = transaction.parse().map_err(|error| format!("{error}"))?;
        Ok(found::look_up(&self.reader, hash).await?)
    }

    fn rereading(&self) -> Option<&dyn Rereading> {
        Some(self)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.node.verify().await?;
        let latest = self.node.latest().await?;
        let time = Some(latest.timestamp.to());
        Ok(Tip { height: latest.height(), hash: latest.hash.to_string(), time })
    }

    async fn health(&self) -> Vec<Check> {
        let (mut checks, latest) = health::current_checks(&self.node, &self.settings, self.clock.now()).await;
        let Some(latest) = latest else { return checks };
        if let Some(setup) = self.setup.get() {
            checks.extend(setup.iter().cloned());
            return checks;
        }
        let setup = health::setup(&self.node, &self.settings, &latest).await;
        // With internal transfers off there is a warning for good.
        if source::fault(&setup).is_none() && setup.iter().all(|check| check.subject != RATE_LIMIT) {
            self.setup.get_or_init(|| setup.clone());
        }
        checks.extend(setup);
        checks
    }

    async fn methods(&self) -> Vec<Check> {
        health::methods(&self.node, &self.settings).await
    }

    async fn rescan(&self, _: u64) -> Result<(), ChainError> {
        Ok(self.node.verify().await?)
    }

    /// Also reads recent blocks again, because the new cursor does not have their hashes.
    async fn rescan_cursor(&self, height: u64, stored: Option<&str>) -> Result<String, ChainError> {
        let chain_id = self.settings.chain_id;
        // Of another network nothing can be kept.
        let stored = stored.and_then(|text| Cursor::read(text, chain_id).ok());
        // The blocks after the head of the stored cursor were not read yet.
        let height = stored.as_ref().map_or(height, |stored| height.min(stored.head().0 + 1));
        let held = stored.map(|stored| stored.held).unwrap_or_default();
        let height = held::lowest(&held).map_or(height, |lowest| lowest.min(height));
        let firm = self.node.latest().await?.height().saturating_sub(self.keep());
        let height = height.saturating_sub(1).min(firm);
        let header = self.node.header(At::Number(height)).await?.ok_or_else(|| missing(height))?;
        Ok(Cursor { held, ..Cursor::new(chain_id, vec![(height, header.hash)]) }.to_text())
    }
}

fn missing(height: u64) -> NodeError {
    NodeError::malformed("eth_getBlockByNumber", format!("the node lacks block {height}"))
}
