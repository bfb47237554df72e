//! The network, as the gateway watches it.
//!
//! Every block is read once, in the order of the chain. What is in a block that is not solidified is unconfirmed; once the
//! block is solidified it never leaves the chain, and its transfers are confirmed. A block of which the server does not have
//! everything is an error, and is read again.

use std::sync::{Arc, OnceLock};

use alloy_primitives::B256;
use async_trait::async_trait;
use checkout_core::{Network, Pair};
use checkout_domain::chain::found::FoundTransaction;
use checkout_domain::chain::held::{self, Held};
use checkout_domain::chain::recognise::recognise;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::source::{self, Check, Level, Tip};
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ports::rereading::Rereading;
use checkout_domain::ports::wallet_signing::WalletSigning;
use checkout_domain::ports::watched_addresses::WatchedAddresses;
use checkout_domain::ports::{Chain, ChainError, Changes, Clock};

use crate::answers::Block;
use crate::cursor::Cursor;
use crate::effects::Effects;
use crate::node::{Node, Of};
use crate::settings::Settings;
use crate::transfers::{Read, Reader};
use crate::{SOLID, health};
use checkout_chain_http::NodeError;

/// Blocks below the newest solidified one at which a database without a cursor starts: no address was given out before.
const START: u64 = 16;

/// Blocks that are read before what is in them is stored. A block has some 300 transactions.
const BATCH: u64 = 10;

/// Solidified blocks on a transfer that is still not confirmed, until an operator is told.
const LATE: u64 = 20;

pub struct TronChain {
    pub(crate) settings: Settings,
    pub(crate) node: Arc<Node>,
    pub(crate) reader: Reader,
    clock: Arc<dyn Clock>,
    /// Checks that passed once and whose results do not change.
    setup: OnceLock<Vec<Check>>,
}

impl TronChain {
    pub fn new(
        settings: Settings,
        node: Arc<Node>,
        watched: Arc<dyn WatchedAddresses>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let reader = Reader::new(Arc::clone(&node), &settings, watched);
        Self { settings, node, reader, clock, setup: OnceLock::new() }
    }

    async fn start(&self, solid: &Block) -> Result<Cursor, ChainError> {
        let height = solid.number().saturating_sub(START);
        let block = self.node.solid_at(height).await?.ok_or_else(|| not_solid(height))?;
        Ok(Cursor::new(self.node.genesis(), (height, block.id)))
    }

    /// The blocks above the last one that was read, each the child of the one before. `None`: the chain of the server parts
    /// from the one that was read.
    async fn blocks_after(&self, (height, id): (u64, B256)) -> Result<Option<Vec<Block>>, ChainError> {
        let mut parent = id;
        let mut blocks = Vec::new();
        for (number, block) in
            (height + 1..).zip(self.node.blocks(Of::Newest, height + 1, height + 1 + BATCH).await?)
        {
            if block.number() != number {
                return Err(format!("the server gave block {} for block {number}", block.number()).into());
            }
            if block.parent() != parent {
                return Ok((!blocks.is_empty()).then_some(blocks));
            }
            parent = block.id;
            blocks.push(block);
        }
        Ok(Some(blocks))
    }

    /// Reads on, and returns the transfers that were not in `held` and what became of these.
    async fn read_on(&self, cursor: &mut Cursor, solid: u64) -> Result<(Read, bool), ChainError> {
        let (mut orphans, blocks) = match self.blocks_after(cursor.head()).await? {
            Some(blocks) => (cursor.cut(cursor.head().0), blocks),
            None => self.other_branch(cursor).await?,
        };
        let mut news = Read::default();
        for block in &blocks {
            let mut read = self.reader.transfers(block, block.number() <= solid).await?;
            recognise(&mut orphans, Network::Trx, &mut read.transfers.iter_mut().collect::<Vec<_>>());
            for transfer in read.transfers {
                cursor.held.push(Held::new(block.number(), &transfer));
                news.transfers.push(transfer);
            }
            news.set_aside.extend(read.set_aside);
            cursor.blocks.push((block.number(), block.id));
        }
        // What was read before a rescan is judged with its blocks.
        let (read_to, _) = cursor.head();
        cursor.held.extend(held::cut(&mut orphans, read_to));
        for orphan in &orphans {
            news.transfers.push(orphan.transfer(Network::Trx, OutputState::Vanished)?);
        }
        // A server can give fewer blocks than were asked for.
        let is_full = u64::try_from(blocks.len()).unwrap_or(BATCH) >= BATCH;
        Ok((news, is_full || !blocks.is_empty() && cursor.head().0 < solid))
    }

    /// Goes back to the last block that the server's branch shares with the one that was read. Returns the transfers in blocks
    /// above it, and the server's blocks there: all up to where was read, because what is only not read again yet has not
    /// vanished.
    async fn other_branch(&self, cursor: &mut Cursor) -> Result<(Vec<Held>, Vec<Block>), ChainError> {
        let (end, _) = cursor.head();
        let mut shared = cursor.solid;
        for (height, id) in cursor.blocks.iter().rev().copied() {
            if self.node.newest_at(height).await?.is_some_and(|block| block.id == id) {
                shared = (height, id);
                break;
            }
        }
        let orphans = cursor.cut(shared.0);
        let mut blocks: Vec<Block> = Vec::new();
        loop {
            let (height, id) = blocks.last().map_or(shared, |last| (last.number(), last.id));
            if height > end {
                return Ok((orphans, blocks));
            }
            match self.blocks_after((height, id)).await? {
                Some(next) if !next.is_empty() => blocks.extend(next),
                Some(_) => {
                    return Err(format!(
                        "the server has another branch than was read, and not all of it up to block {end}"
                    )
                    .into());
                }
                None if (height, id) == cursor.solid => {
                    return Err(format!(
                        "block {height} {id} was solidified when it was read, and the server's chain does not have it"
                    ).into());
                }
                None => {
                    return Err(
                        format!("the chain was reorganised after block {height} while it was read").into()
                    );
                }
            }
        }
    }

    /// Confirms what is in blocks that are solidified now, and lists what could not be confirmed for long.
    async fn settle(&self, cursor: &mut Cursor, solid: &Block) -> Result<Read, ChainError> {
        let before = cursor.solid.0;
        let read = cursor.blocks.iter().rev().find(|(height, _)| *height <= solid.number());
        if let Some((height, id)) = read.copied() {
            let stays = if height == solid.number() {
                solid.id
            } else {
                self.node.solid_at(height).await?.ok_or_else(|| not_solid(height))?.id
            };
            if stays != id {
                // The blocks that were read are of a fork; the next look finds it.
                return Ok(Read::default());
            }
            let settled = cursor.settle((height, id));
            cursor.held.extend(settled);
        }
        let mut news = Read::default();
        let now = cursor.solid.0;
        let due: Vec<Held> = cursor.held.extract_if(.., |held| held.height <= now).collect();
        for held in due {
            let id: B256 = held.transaction().parse().map_err(|error| format!("{error}"))?;
            let Some(why) = self.unconfirmed(id, held.height).await? else {
                news.transfers.push(held.transfer(Network::Trx, OutputState::Confirmed)?);
                continue;
            };
            // Once, because it is asked for again at each look.
            if before < held.height + LATE && now >= held.height + LATE {
                news.set_aside.push(SetAside {
                    network: Network::Trx,
                    transaction: held.output(Network::Trx).transaction,
                    part: String::new(),
                    height: held.height,
                    block: String::new(),
                    why,
                });
            }
            cursor.held.push(held);
        }
        Ok(news)
    }

    /// Why a transfer in a solidified block is not confirmed, if it is not.
    pub(crate) async fn unconfirmed(&self, id: B256, height: u64) -> Result<Option<String>, ChainError> {
        let raw = match self.node.effects(Of::Solid, id).await {
            Ok(Some(raw)) => raw,
            Ok(None) => return Ok(Some(not_solid(height))),
            Err(error @ NodeError::Limited(_)) => return Err(error.into()),
            // A server can fail at one transaction for ever.
            Err(error) => return Ok(Some(error.to_string())),
        };
        Ok(match Effects::of(&raw).and_then(|effects| Ok((effects.has_succeeded()?, effects))) {
            Ok((true, effects)) if effects.id() == Some(id) && effects.block_number() == Some(height) => None,
            Ok(_) => Some("solidified, it is not what it was in its block".to_owned()),
            Err(why) => Some(why),
        })
    }
}

#[async_trait]
impl Chain for TronChain {
    fn network(&self) -> Network {
        Network::Trx
    }

    fn reads(&self, pair: &Pair) -> bool {
        self.settings.reads(pair)
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        self.node.verify().await?;
        let genesis = self.node.genesis();
        // Before the blocks: what is read after it is not older.
        let solid = self.node.solid().await?;
        let mut now = match cursor {
            Some(text) => Cursor::read(text, genesis)?,
            None => self.start(&solid).await?,
        };
        let (Read { mut transfers, mut set_aside }, more) = self.read_on(&mut now, solid.number()).await?;
        let settled = self.settle(&mut now, &solid).await?;
        for confirmed in settled.transfers {
            // Seen and confirmed at one look.
            transfers.retain(|transfer| transfer.output != confirmed.output);
            transfers.push(confirmed);
        }
        set_aside.extend(settled.set_aside);
        Ok(Changes { transfers, set_aside, cursor: now.to_text(), more })
    }

    /// Of solidified blocks only.
    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        self.node.verify().await?;
        let id = output.transaction.parse().map_err(|error| format!("{error}"))?;
        let solid = self.node.solid().await?.number();
        let info = self.node.info(Of::Solid, id).await?.filter(crate::answers::Info::is_success);
        Ok(info.map_or(0, |info| SOLID + solid.saturating_sub(info.block_number)))
    }

    fn required_confirmations(&self) -> u64 {
        SOLID
    }

    fn read_up_to(&self, cursor: &str) -> Option<u64> {
        Cursor::read(cursor, self.node.genesis()).ok().map(|cursor| cursor.head().0)
    }

    async fn waiting(&self, cursor: &str) -> Result<Vec<(OutputId, u64)>, ChainError> {
        Ok(Cursor::read(cursor, self.node.genesis())?.waiting())
    }

    /// One that waits for a block, which takes three seconds, is not found yet.
    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        self.node.verify().await?;
        let id = transaction.parse().map_err(|error| format!("{error}"))?;
        let solid = self.node.solid().await?.number();
        let Some(info) = self.node.info(Of::Newest, id).await? else { return Ok(None) };
        let confirmations = if info.block_number <= solid {
            SOLID + (solid - info.block_number)
        } else {
            let newest = self.node.newest().await?.number();
            (newest + 1).saturating_sub(info.block_number).min(SOLID - 1)
        };
        let (failed, transfers) = (info.has_failed(), self.reader.found(&info));
        Ok(Some(FoundTransaction { confirmations, failed, transfers, ..FoundTransaction::default() }))
    }

    fn wallet_signing(&self) -> Option<&dyn WalletSigning> {
        Some(self)
    }

    fn rereading(&self) -> Option<&dyn Rereading> {
        Some(self)
    }

    /// The newest solidified block.
    async fn tip(&self) -> Result<Tip, ChainError> {
        self.node.verify().await?;
        let solid = self.node.solid().await?;
        let hash = alloy_primitives::hex::encode(solid.id);
        Ok(Tip { height: solid.number(), hash, time: Some(solid.millis() / 1000) })
    }

    async fn health(&self) -> Vec<Check> {
        let mut checks = health::current_checks(&self.node, &self.settings, self.clock.now()).await;
        if source::fault(&checks).is_none() {
            if self.setup.get().is_none() {
                let setup = health::setup(&self.node, &self.settings).await;
                if setup.iter().all(|check| check.level == Level::Good) {
                    self.setup.get_or_init(|| setup.clone());
                }
                checks.extend(setup);
            } else {
                checks.extend(self.setup.get().into_iter().flatten().cloned());
            }
        }
        checks
    }

    async fn methods(&self) -> Vec<Check> {
        health::methods(&self.node, &self.settings).await
    }

    async fn rescan(&self, _: u64) -> Result<(), ChainError> {
        Ok(self.node.verify().await?)
    }

    async fn rescan_cursor(&self, height: u64, stored: Option<&str>) -> Result<String, ChainError> {
        let genesis = self.node.genesis();
        // Of another network nothing can be kept.
        let stored = stored.and_then(|text| Cursor::read(text, genesis).ok());
        // The blocks after the head of the stored cursor were not read yet.
        let height = stored.as_ref().map_or(height, |stored| height.min(stored.head().0 + 1));
        let held = stored.map(|stored| stored.held).unwrap_or_default();
        let solid = self.node.solid().await?;
        let height = held::lowest(&held).map_or(height, |lowest| lowest.min(height));
        let height = height.saturating_sub(1).min(solid.number());
        let block = self.node.solid_at(height).await?.ok_or_else(|| not_solid(height))?;
        let mut cursor = Cursor::new(genesis, (height, block.id));
        cursor.held = held;
        Ok(cursor.to_text())
    }
}

fn not_solid(height: u64) -> String {
    format!("the server that answered does not have block {height} among the solidified ones yet")
}
