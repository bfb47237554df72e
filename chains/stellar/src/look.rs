//! A page of an account's payments: which of them are new, and how far it goes.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::operation::Operation;

pub(crate) struct PageReading {
    /// In their order. Those without a number come last.
    pub(crate) new: Vec<Result<Operation, String>>,
    /// The numbers of the first and the last one; `None` without any.
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) is_in_order: bool,
}

impl PageReading {
    /// The payments after the number `after` and up to `most`: a number beyond that is none to read on from. An error is one of the whole
    /// page.
    pub(crate) fn of(page: &[Box<RawValue>], after: u64, most: u64) -> Result<Self, String> {
        let (mut numbered, mut others) = (BTreeMap::new(), Vec::new());
        let (mut is_in_order, mut is_behind, mut last) = (true, false, after);
        for raw in page {
            let operation = Operation::of(raw);
            match operation.as_ref().ok().and_then(Operation::id).filter(|id| *id <= most) {
                None => others.push(operation),
                Some(id) if id <= after => is_behind = true,
                Some(id) => {
                    is_in_order &= id >= last;
                    last = id;
                    numbered.insert(id, operation);
                }
            }
        }
        if is_behind && numbered.is_empty() {
            return Err(format!("Horizon gave payments up to {after}, and those after it were asked for"));
        }
        let first = numbered.first_key_value().map(|(id, _)| *id);
        let range = first.zip(numbered.last_key_value().map(|(id, _)| *id));
        let new = numbered.into_values().chain(others).collect();
        Ok(Self { new, range, is_in_order })
    }
}
