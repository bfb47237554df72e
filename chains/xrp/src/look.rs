//! What one look at an account's list found. Each entry is taken for itself: one that cannot be read is set aside.

use std::collections::BTreeMap;

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
    /// Behind the last entry that another one in order follows: the place of one that none follows may be odd.
    pub(crate) end: Cursor,
    pub(crate) last: Cursor,
    /// The transfers and the entries set aside up to the end.
    up_to_end: (usize, usize),
    pub(crate) is_in_order: bool,
    pub(crate) more: bool,
    seen: BTreeMap<String, Result<Option<Transfer>, String>>,
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
            last: cursor.clone(),
            up_to_end: (0, 0),
            is_in_order: true,
            more: false,
            seen: BTreeMap::new(),
            entries: 0,
        }
    }

    /// `cursor`: what is behind it was read before.
    pub(crate) fn take(&mut self, raw: &RawValue, cursor: &Cursor, account: &str) {
        self.entries += 1;
        let entry = match LedgerEntry::of(raw) {
            Ok(entry) => entry,
            Err(why) => {
                self.leave(None, None, why);
                return;
            }
        };
        // A ledger that was not asked for is no place to read on from.
        let ledger = entry.ledger().filter(|ledger| (self.asked.0..=self.asked.1).contains(ledger));
        let place = ledger.zip(entry.index());
        if place.is_some_and(|(ledger, index)| cursor.is_behind(ledger, index)) {
            return;
        }
        let read = transfers::read(&entry, account);
        if let Some(hash) = entry.hash() {
            match self.seen.get(&hash) {
                None => drop(self.seen.insert(hash, read.clone())),
                Some(Ok(before)) if read.as_ref().is_ok_and(|read| read != before) => {
                    self.transfers.retain(|transfer| transfer.output.transaction != hash);
                    return self.leave(
                        ledger,
                        Some(&entry),
                        "it is there twice, and not the same".to_owned(),
                    );
                }
                Some(_) => return,
            }
        }
        match place {
            Some((ledger, index)) if self.last.is_behind(ledger, index) => self.is_in_order = false,
            Some((ledger, index)) => {
                let last = Cursor::after_transaction(self.network, ledger, index);
                self.end = std::mem::replace(&mut self.last, last);
                self.up_to_end = (self.transfers.len(), self.set_aside.len());
            }
            None => {}
        }
        match read {
            Ok(transfer) => self.transfers.extend(transfer),
            Err(why) => self.leave(ledger, Some(&entry), why),
        }
    }

    /// Without what comes behind its end, unless that is all. `more`: it is read at once.
    pub(crate) fn cut(mut self, cursor: &Cursor, more: bool) -> Self {
        if self.end == *cursor {
            self.end = self.last.clone();
        } else {
            let (transfers, set_aside) = self.up_to_end;
            self.transfers.truncate(transfers);
            self.set_aside.truncate(set_aside);
        }
        Self { more, ..self }
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
