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
        let end = (end, range.map_or(after, |(_, last)| last));
        let others =
            others.into_iter().map(|(place, operation)| (Place::in_page(after, place, end), operation));
        let others = others.collect();
        let numbered = numbered.into_values().map(|(_, operation)| operation).collect();
        Ok(Self { numbered, twice, others, range, is_in_order })
    }
}

/// What an operation brings to the account, and with which memo.
fn says(operation: Result<&Operation, &String>, account: &str) -> Option<(Credits, String)> {
    let operation = operation.ok()?;
    let credits = credits(operation, account);
    let transaction: Option<Box<RawValue>> = operation.0.get("transaction").ok().flatten();
    (!credits.is_empty()).then(|| (credits, transaction.map(|raw| raw.get().to_owned()).unwrap_or_default()))
}
