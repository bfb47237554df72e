//! What one look at an account's list found. Each entry is taken for itself: one that cannot be read is set aside.

use std::collections::{BTreeMap, BTreeSet};

use checkout_chain_http::NodeError;
use checkout_core::Network;
use checkout_domain::chain::Transfer;
use checkout_domain::chain::set_aside::SetAside;
use serde_json::value::RawValue;

use crate::NetworkId;
use crate::cursor::Cursor;
use crate::entry::LedgerEntry;
use crate::node::Node;
use crate::place::Place;
use crate::{signed, transfers};

pub(crate) struct ListReading {
    network: NetworkId,
    /// The first and the last ledger.
    asked: (u32, u32),
    /// What of these is read; all if there is none.
    wanted: Option<Place>,
    /// The places that were read before, in the first ledger.
    behind: BTreeSet<(u32, u32)>,
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) set_aside: Vec<SetAside>,
    /// Behind the last entry that another one in order follows: the place of one that none follows may be odd.
    pub(crate) end: Cursor,
    pub(crate) last: Cursor,
    /// The transfers, the entries set aside and all entries up to the end, and up to the last one.
    up_to: [(usize, usize, usize); 2],
    pub(crate) is_in_order: bool,
    pub(crate) more: bool,
    seen: BTreeMap<String, Seen>,
    pub(crate) entries: usize,
    /// Of entries; `None` of one that names none.
    ledgers: BTreeSet<Option<u32>>,
    /// The last ledger with a transfer.
    pub(crate) paid: Option<u32>,
}

#[derive(PartialEq, Eq)]
struct Seen {
    numbers: [Option<u32>; 2],
    read: Result<Option<Transfer>, String>,
}

impl ListReading {
    pub(crate) fn new(network: NetworkId, asked: (u32, u32), wanted: Option<Place>, cursor: &Cursor) -> Self {
        Self {
            network,
            asked,
            wanted,
            behind: BTreeSet::new(),
            transfers: Vec::new(),
            set_aside: Vec::new(),
            end: cursor.clone(),
            last: cursor.clone(),
            up_to: [(0, 0, 0); 2],
            is_in_order: true,
            more: false,
            seen: BTreeMap::new(),
            entries: 0,
            ledgers: BTreeSet::new(),
            paid: None,
        }
    }

    /// `cursor`: what is behind it was read before. An error is the server's: nothing more is asked.
    pub(crate) async fn take(
        &mut self,
        raw: &RawValue,
        cursor: &Cursor,
        account: &str,
        node: &Node,
    ) -> Result<(), NodeError> {
        let entry = match LedgerEntry::of(raw) {
            Ok(entry) => entry,
            Err(why) => {
                self.entries += 1;
                self.ledgers.insert(None);
                self.leave((None, None), None, why);
                return Ok(());
            }
        };
        // A ledger that was not asked for is no place to read on from.
        let ledger = entry.ledger().filter(|ledger| (self.asked.0..=self.asked.1).contains(ledger));
        self.ledgers.insert(ledger);
        let index = entry.index();
        let place = ledger.zip(index);
        let is_other = |ledger, index| self.wanted.is_some_and(|wanted| !wanted.may_have(ledger, index));
        if place.is_some_and(|(ledger, index)| is_other(ledger, index)) {
            return Ok(());
        }
        if let Some(place) = place.filter(|(ledger, index)| cursor.is_behind(*ledger, *index)) {
            self.behind.insert(place);
            return Ok(());
        }
        let mut seen = Seen { numbers: entry.numbers(), read: transfers::read(&entry, account) };
        let hash = entry.hash();
        if hash.as_ref().and_then(|hash| self.seen.get(hash)) == Some(&seen) {
            return Ok(());
        }
        let (mut is_named, mut failure) = (true, None);
        if let Ok(Some(_)) = &seen.read {
            let proof = match proof(&entry, node).await {
                Err(error @ NodeError::Unreachable(_)) => Err(failure.insert(error).to_string()),
                proof => proof?,
            };
            if let Err(why) = proof {
                (seen.read, is_named) = (Err(why), false);
            }
        }
        self.entries += 1;
        let read = seen.read.clone();
        let hash = hash.filter(|_| is_named);
        if let Some(hash) = &hash {
            match self.seen.get(hash) {
                None => drop(self.seen.insert(hash.clone(), seen)),
                Some(Seen { read: Ok(before), .. }) if read.as_ref().is_ok_and(|read| read != before) => {
                    self.transfers.retain(|transfer| transfer.output.transaction != *hash);
                    self.leave(
                        (ledger, index),
                        Some(hash.clone()),
                        "it is there twice, and not the same".to_owned(),
                    );
                    return Ok(());
                }
                Some(_) => return Ok(()),
            }
        }
        let next = place.filter(|(ledger, index)| !self.last.is_behind(*ledger, *index));
        self.is_in_order &= place.is_none() || next.is_some();
        if let Some((ledger, index)) = next {
            let last = Cursor::after_transaction(self.network, ledger, index);
            self.end = std::mem::replace(&mut self.last, last);
        }
        match read {
            Ok(None) => {}
            Ok(Some(transfer)) => {
                self.transfers.push(transfer);
                self.paid = self.paid.max(ledger);
            }
            Err(why) => self.leave((ledger, index), hash, why),
        }
        if next.is_some() {
            self.up_to = [self.up_to[1], (self.transfers.len(), self.set_aside.len(), self.entries)];
        }
        failure.map_or(Ok(()), Err)
    }

    /// Without what comes behind its end, or behind the last one if that is all. `more`: it is read at once.
    pub(crate) fn cut(mut self, cursor: &Cursor, more: bool) -> Self {
        let is_single = self.end == *cursor;
        if is_single {
            self.end = self.last.clone();
        }
        let (transfers, set_aside, entries) = self.up_to[usize::from(is_single)];
        self.transfers.truncate(transfers);
        self.set_aside.truncate(set_aside);
        self.entries = entries;
        Self { more, ..self }.named()
    }

    /// With everything up to this ledger.
    pub(crate) fn whole(self, last: u32) -> Self {
        Self { end: Cursor::after_ledger(self.network, last), ..self }.named()
    }

    /// Entries without a place are named after the ledgers that were read.
    fn named(mut self) -> Self {
        let (first, mut last) = (self.asked.0, self.end.ledger.max(self.asked.0).to_string());
        if let Some(transaction) = self.end.transaction {
            last = format!("{last}.{transaction}");
        }
        let entries = self.behind.len() + self.entries;
        let unnamed = self.set_aside.iter_mut().filter(|entry| entry.transaction.is_empty());
        for (number, entry) in (1..).zip(unnamed) {
            entry.transaction = format!("{first}-{last}:{number}/{entries}");
        }
        self
    }

    /// Fails if the list cannot be the one of a network on which this ledger was the last that changed the account.
    pub(crate) fn check(&self, changed: u32) -> Result<(), String> {
        let is_listed = [Some(changed), None].iter().any(|ledger| self.ledgers.contains(ledger));
        match self.paid.filter(|_| changed < self.asked.0) {
            Some(paid) => Err(format!(
                "the server's list has a payment in ledger {paid}, and no ledger after {changed} changed the account"
            )),
            None if (self.asked.0..=self.end.ledger).contains(&changed) && !is_listed => Err(format!(
                "the server's list has no transaction of ledger {changed}, which changed the account"
            )),
            None => Ok(()),
        }
    }

    /// Named by its hash, otherwise by ledger and place.
    fn leave(&mut self, place: (Option<u32>, Option<u32>), hash: Option<String>, why: String) {
        let at = || Some(format!("{}:{}", place.0?, place.1?));
        self.set_aside.push(SetAside {
            network: Network::Xrp,
            transaction: hash.or_else(at).unwrap_or_default(),
            part: String::new(),
            height: place.0.unwrap_or(self.asked.1).into(),
            block: String::new(),
            why,
        });
    }
}

/// Whether the entry is the transaction of its hash. An outer error is the server's.
pub(crate) async fn proof(entry: &LedgerEntry, node: &Node) -> Result<Result<(), String>, NodeError> {
    let Some(hash) = entry.hash() else { return Ok(Err("it has no hash".to_owned())) };
    match node.signed(&hash).await {
        Ok(Some(bytes)) => Ok(signed::check(entry, &bytes)),
        Ok(None) => Ok(Err(format!("the server has no transaction {hash}"))),
        Err(error @ (NodeError::Unreachable(_) | NodeError::Limited(_))) => Err(error),
        // A server can fail at one transaction for ever.
        Err(error) => Ok(Err(error.to_string())),
    }
}
