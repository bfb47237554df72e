//! A chain of one block, with a watcher like that of EVM networks.

use std::collections::BTreeMap;

use async_trait::async_trait;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::held::{self, Held};
use checkout_domain::chain::recognise::recognise;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};
use parking_lot::Mutex;

use super::Dice;
use crate::set_aside::transfer;

pub(super) const NETWORK: Network = Network::Eth;
pub(super) const CURRENCY: Currency = Currency::Usdt;

pub(super) const SENDERS: [&str; 2] =
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"];

/// Payee and sender.
pub(super) type Move = (usize, usize);

/// The newest block. A reorganisation puts another one in its place, where its transaction is executed again.
#[derive(Default)]
pub(super) struct Block {
    hash: u64,
    /// What its transaction moves, and whether a server has told of it.
    moves: Vec<(Move, bool)>,
    pub(super) is_final: bool,
    /// No reorganisation reaches it: its transfers are held no more.
    pub(super) is_deep: bool,
    /// Which server answers.
    pub(super) server: u64,
}

/// The hash that was read, and the transfers there.
pub(super) type Cursor = (u64, Vec<Held>);

type Answer<T> = Result<T, ChainError>;

pub(super) struct Node {
    pub(super) seed: u64,
    pub(super) addresses: Vec<String>,
    pub(super) block: Mutex<Block>,
}

pub(super) fn transaction(seed: u64) -> String {
    format!("0x{seed:064x}")
}

impl Node {
    pub(super) fn reorganise(&self, dice: &mut Dice) {
        let (mut block, count) = (self.block.lock(), dice.roll(5));
        if !block.is_deep {
            let mut side = || usize::try_from(dice.roll(2)).unwrap();
            let moves = (0..count).map(|_| ((side(), side()), false)).collect();
            *block = Block { hash: block.hash.max(self.seed * 100) + 1, moves, ..Block::default() };
        }
    }

    /// How many transfers there are of a move and a state, of which a server has told.
    pub(super) fn told(&self) -> BTreeMap<(Move, bool), usize> {
        let (block, mut all) = (self.block.lock(), BTreeMap::new());
        for (moved, _) in block.moves.iter().filter(|(_, is_told)| *is_told) {
            *all.entry((*moved, block.is_final)).or_default() += 1;
        }
        all
    }

    /// What a server tells, and whether it sets aside the rest. It has numbers of its own.
    fn tell(&self, block: &mut Block, is_whole: bool) -> (Vec<Transfer>, bool) {
        let mut dice = Dice::new(block.server + 1);
        let state = if block.is_final { OutputState::Confirmed } else { OutputState::Unconfirmed };
        let [gap, order, rest, lists] = [3, 2, 2, 2].map(|sides| dice.roll(sides));
        let (all, mut moves) = (block.moves.len(), Vec::from_iter(&mut block.moves));
        if order == 0 {
            moves.reverse();
        }
        moves.retain(|(_, is_told)| is_whole || *is_told || rest > 0 || dice.roll(2) == 0);
        let is_listed = moves.len() < all && lists == 0;
        let told = (u32::try_from(gap).unwrap()..).zip(moves).map(|(index, ((payee, sender), is_told))| {
            *is_told = true;
            let of = transfer(&transaction(self.seed), &self.addresses[*payee], "0");
            let (amount, from) = (Amount::from_atoms(2_000_000).unwrap(), SENDERS[*sender].to_owned());
            let output = OutputId { network: NETWORK, index, ..of.output };
            Transfer { output, currency: CURRENCY, amount, from, state, ..of }
        });
        (told.collect(), is_listed)
    }
}

#[async_trait]
impl Chain for Node {
    fn network(&self) -> Network {
        NETWORK
    }

    async fn changes(&self, cursor: Option<&str>) -> Answer<Changes> {
        let block = &mut *self.block.lock();
        let (read, mut held): Cursor = serde_json::from_str(cursor.unwrap()).unwrap();
        let (mut news, mut set_aside, mut orphans) = (Vec::new(), Vec::new(), Vec::new());
        if read == block.hash {
            for held in held.iter_mut().filter(|held| block.is_final && !held.confirmed) {
                held.confirmed = true;
                news.push(held.transfer(NETWORK, OutputState::Confirmed)?);
            }
        } else {
            let (told, is_listed) = self.tell(block, false);
            news = told;
            let (transaction, part) = (transaction(self.seed), "log".to_owned());
            let (network, height, block, why) = (NETWORK, 1, block.hash.to_string(), String::new());
            let entry = SetAside { network, transaction, part, height, block, why };
            set_aside.extend(is_listed.then_some(entry));
            orphans = std::mem::take(&mut held);
            recognise(&mut orphans, NETWORK, &mut news.iter_mut().collect::<Vec<_>>());
            held.extend(news.iter().map(|one| Held::new(1, one)));
        }
        for orphan in &orphans {
            news.push(orphan.transfer(NETWORK, OutputState::Vanished)?);
        }
        held.retain(|_| !block.is_deep);
        Ok(Changes {
            set_aside,
            ..Changes::new(news, serde_json::to_string(&(block.hash, held)).unwrap(), false)
        })
    }

    async fn confirmations(&self, _: &OutputId) -> Answer<u64> {
        Ok(1)
    }

    fn rereading(&self) -> Option<&dyn Rereading> {
        Some(self)
    }

    async fn tip(&self) -> Answer<Tip> {
        Ok(Tip { height: 0, hash: String::new(), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

#[async_trait]
impl Rereading for Node {
    async fn read_again(&self, entry: &SetAside) -> Answer<Reread> {
        let block = &mut *self.block.lock();
        if block.hash.to_string() != entry.block {
            return Ok(Reread::Gone);
        }
        Ok(Reread::Read(self.tell(block, true).0))
    }

    async fn rejoin(&self, cursor: &str, of: &SetAside, told: Vec<Transfer>) -> Answer<Option<Rejoined>> {
        let (hash, mut held): Cursor = serde_json::from_str(cursor).unwrap();
        if hash.to_string() != of.block || hash != self.block.lock().hash {
            return Ok(None);
        }
        let transfers = held::rejoin(&mut held, NETWORK, of, told)?;
        Ok(Some(Rejoined { transfers, cursor: serde_json::to_string(&(hash, held)).unwrap() }))
    }
}
