//! A page of an account's payments: which of them are new, and how far it goes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use crate::operation::Operation;
use crate::place::Place;
use crate::transfers::{Credits, credits};

pub(crate) struct PageReading {
    /// In their order.
    pub(crate) numbered: Vec<Result<Operation, String>>,
    /// The numbers of those that are there twice, and not the same.
    pub(crate) twice: BTreeSet<u64>,
    /// Those without a number to read on from.
    pub(crate) others: Vec<(Place, Result<Operation, String>)>,
    /// How many of these come behind all with a number.
    pub(crate) behind: usize,
    /// The numbers of the first and the last one; `None` without any.
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) is_in_order: bool,
}

impl PageReading {
    /// The payments after the number `after` and up to `most`: a number beyond that is none to read on from, nor is that of a payment
    /// without the account. An error is one of the whole page.
    pub(crate) fn of(page: &[Box<RawValue>], account: &str, after: u64, most: u64) -> Result<Self, String> {
        let (mut numbered, mut others, mut twice) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
        let (mut is_in_order, mut is_behind, mut last, mut end) = (true, false, after, 0);
        for (place, raw) in (1..).zip(page) {
            let operation = Operation::of(raw);
            let is_ours = raw.get().contains(account);
            let id = operation.as_ref().ok().and_then(Operation::id);
            match id.filter(|id| *id <= most && (is_ours || *id <= after)) {
                None => others.push((place, operation)),
                Some(id) if id <= after => is_behind = true,
                Some(id) => {
                    is_in_order &= id >= last;
                    last = id;
                    end = place;
                    let says = says(operation.as_ref(), account);
                    let before = numbered.insert(id, (says.clone(), operation));
                    if before.is_some_and(|(before, _)| before != says) {
                        twice.insert(id);
                    }
                }
            }
        }
        if is_behind && numbered.is_empty() {
            return Err(format!("Horizon gave payments up to {after}, and those after it were asked for"));
        }
        let first = numbered.first_key_value().map(|(id, _)| *id);
        let range = first.zip(numbered.last_key_value().map(|(id, _)| *id));
        let (before, all) = (others.iter().filter(|(place, _)| *place < end).count(), others.len());
        let place_of = |number: usize, place: usize| match range {
            _ if !is_in_order => Place::among(after, (number, numbered.len() + all)),
            Some((_, last)) if place < end => Place::up_to(last, after, (place, numbered.len() + before)),
            // It can be one before the last, in another order.
            _ => Place::among(after, (numbered.len() + number, numbered.len() + number)),
        };
        let others =
            (1..).zip(others).map(|(number, (place, operation))| (place_of(number, place), operation));
        let others: Vec<_> = others.collect();
        let behind = if is_in_order { all - before } else { 0 };
        let numbered = numbered.into_values().map(|(_, operation)| operation).collect();
        Ok(Self { numbered, twice, others, behind, range, is_in_order })
    }
}

/// What an operation brings to the account, and with which memo.
fn says(operation: Result<&Operation, &String>, account: &str) -> Option<(Credits, String)> {
    let operation = operation.ok()?;
    let credits = credits(operation, account);
    let transaction: Option<Box<RawValue>> = operation.0.get("transaction").ok().flatten();
    (!credits.is_empty()).then(|| (credits, transaction.map(|raw| raw.get().to_owned()).unwrap_or_default()))
}
