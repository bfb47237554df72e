//! What was seen of each row.

use std::collections::{BTreeMap, BTreeSet};

use checkout_sandbox::rehearsal::{entry, summary};
use serde_json::{Value, json};

use super::rows::{Row, Table};

/// The words of a report: kept, broken, not shown.
const KEPT: &str = "kept";
const BROKEN: &str = "broken";
const NOT_SHOWN: &str = "notShown";

/// A row that was seen is kept until it is broken.
#[derive(Debug, Default)]
pub(super) struct Grades {
    seen: BTreeMap<Row, Vec<RowFault>>,
    notes: BTreeSet<String>,
}

#[derive(Debug)]
struct RowFault {
    /// The answer in which it was seen first.
    place: String,
    /// A sentence without a full stop.
    reason: String,
    times: usize,
}

impl RowFault {
    fn text(&self) -> String {
        let times = if self.times > 1 { format!(" ({} times)", self.times) } else { String::new() };
        format!("{}: {}{times}", self.place, self.reason)
    }
}

impl Grades {
    pub(super) fn kept(&mut self, row: Row) {
        self.seen.entry(row).or_default();
    }

    pub(super) fn broken(&mut self, row: Row, place: &str, reason: impl Into<String>) {
        let (faults, reason) = (self.seen.entry(row).or_default(), reason.into());
        match faults.iter_mut().find(|fault| fault.reason == reason) {
            Some(fault) => fault.times += 1,
            None => faults.push(RowFault { place: place.to_owned(), reason, times: 1 }),
        }
    }

    pub(super) fn judge(&mut self, row: Row, place: &str, judged: Result<(), String>) {
        match judged {
            Ok(()) => self.kept(row),
            Err(reason) => self.broken(row, place, reason),
        }
    }

    /// `reason` is that of a row that is not kept.
    pub(super) fn expect(&mut self, row: Row, place: &str, is_kept: bool, reason: impl FnOnce() -> String) {
        self.judge(row, place, if is_kept { Ok(()) } else { Err(reason()) });
    }

    /// What breaks nothing, and is worth a look.
    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.insert(note.into());
    }

    /// How often something was broken.
    pub(super) fn faults(&self) -> usize {
        self.seen.values().flatten().map(|fault| fault.times).sum()
    }

    fn word(&self, row: Row) -> &'static str {
        match self.seen.get(&row) {
            None => NOT_SHOWN,
            Some(reasons) if reasons.is_empty() => KEPT,
            Some(_) => BROKEN,
        }
    }

    fn count(&self, word: &str) -> usize {
        Row::ALL.iter().filter(|row| self.word(**row) == word).count()
    }

    fn reasons(&self, row: Row) -> Vec<String> {
        self.seen.get(&row).into_iter().flatten().map(RowFault::text).collect()
    }

    pub(super) fn text(&self) -> String {
        let line = |row: Row| {
            let word = match self.word(row) {
                BROKEN => "BROKEN",
                NOT_SHOWN => "not shown",
                word => word,
            };
            entry(word, &row.name(), &row.page(), &self.reasons(row))
        };
        let mut lines = Vec::new();
        for table in Table::ALL {
            lines.push(format!("{}:", table.title()));
            lines.extend(Row::of_table(table).map(line));
        }
        lines.extend(self.notes.iter().map(|note| format!("note        {note}")));
        let others = [(self.count(BROKEN), "broken"), (self.count(NOT_SHOWN), "not shown")];
        lines.push(summary(Row::ALL.len(), (self.count(KEPT), "kept"), others));
        lines.join("\n")
    }

    pub(super) fn json(&self) -> Value {
        let row = |row: &Row| {
            json!({
                "table": row.facts().table.name(),
                "name": row.name(),
                "page": row.page(),
                "verdict": self.word(*row),
                "reasons": self.reasons(*row),
            })
        };
        json!({
            "kept": self.count(KEPT),
            "broken": self.count(BROKEN),
            "notShown": self.count(NOT_SHOWN),
            "rows": Row::ALL.iter().map(row).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}
