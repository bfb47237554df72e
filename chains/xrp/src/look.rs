//! What one look at an account's list found. Each entry is taken for itself: one that cannot be read is set aside.

use std::collections::BTreeSet;

use checkout_core::Network;
use checkout_domain::chain::Transfer;
use checkout_domain::chain::set_aside::SetAside;
use serde_json::value::RawValue;

use crate::NetworkId;
use crate::cursor::Cursor;
use crate::entry::LedgerEntry;
use crate::transfers;

pub(crate) struct ListReading {
    network: NetworkId,
    /// The first and the last ledger.
    asked: (u32, u32),
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) set_aside: Vec<SetAside>,
    /// Behind the last entry.
    pub(crate) end: Cursor,
    pub(crate) is_in_order: bool,
    pub(crate) more: bool,
    seen: BTreeSet<String>,
    entries: usize,
}

impl ListReading {
    pub(crate) fn new(network: NetworkId, asked: (u32, u32), cursor: &Cursor) -> Self {
        Self {
            network,
            asked,
            transfers: Vec::new(),
            set_aside: Vec::new(),
            end: cursor.clone(),
            is_in_order: true,
            more: false,
            seen: BTreeSet::new(),
            entries: 0,
        }
    }

    /// `cursor`: what is behind it was read before. An error is one of the whole list.
    pub(crate) fn take(&mut self, raw: &RawValue, cursor: &Cursor, account: &str) -> Result<(), String> {
        self.entries += 1;
        let entry = match LedgerEntry::of(raw) {
            Ok(entry) => entry,
            Err(why) => {
                self.leave(None, None, why);
                return Ok(());
            }
        };
        if entry.is_validated() == Ok(false) {
            return Err("the server listed a transaction that is not validated".to_owned());
        }
        // A ledger that was not asked for is no place to read on from.
        let ledger = entry.ledger().filter(|ledger| (self.asked.0..=self.asked.1).contains(ledger));
        let place = ledger.zip(entry.index());
        if place.is_some_and(|(ledger, index)| cursor.is_behind(ledger, index)) {
            return Ok(());
        }
        if entry.hash().is_some_and(|hash| !self.seen.insert(hash)) {
            return Ok(());
        }
        match place {
            Some((ledger, index)) if self.end.is_behind(ledger, index) => self.is_in_order = false,
            Some((ledger, index)) => self.end = Cursor::after_transaction(self.network, ledger, index),
            None => {}
        }
        match transfers::read(&entry, account) {
            Ok(transfer) => self.transfers.extend(transfer),
            Err(why) => self.leave(ledger, Some(&entry), why),
        }
        Ok(())
    }

    /// Named by its hash, otherwise by ledger and place, or by the ledgers that were asked for.
    fn leave(&mut self, ledger: Option<u32>, entry: Option<&LedgerEntry>, why: String) {
        let (first, last) = self.asked;
        let place = ledger.zip(entry.and_then(LedgerEntry::index));
        let place = place.map(|(ledger, index)| format!("{ledger}:{index}"));
        let name = entry.and_then(LedgerEntry::hash).or(place);
        self.set_aside.push(SetAside {
            network: Network::Xrp,
            transaction: name.unwrap_or_else(|| format!("{first}-{last}:{}", self.entries)),
            part: String::new(),
            height: ledger.unwrap_or(last).into(),
            block: String::new(),
            why,
        });
    }
}
