//! Whom to ask when. The newest quotes are asked for at every look, those of the last day every minute, and all other
//! addresses in turn.
//!
//! None of this is stored: after a start every address is asked for once.

use std::collections::{BTreeMap, BTreeSet};

/// Of quotes in seconds: asked for at every look.
pub(super) const NEW: u64 = 60 * 60;
/// Of quotes in seconds: asked for every minute.
pub(super) const RECENT: u64 = 24 * 60 * 60;
const MINUTE: u64 = 60;

/// One of all other addresses is asked for in so many seconds.
const OTHER: u64 = 20;

/// Addresses that could not be read, in one look.
const MOST_FAILED: usize = 5;

#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    /// Recently quoted addresses, by the last time they were asked for.
    asked: BTreeMap<String, u64>,
    /// The last address of the round over all of them.
    after: String,
    /// Every address was asked for once.
    is_round_done: bool,
    /// Addresses whose transactions could not be read, with how often: asked for at every look.
    failed: BTreeMap<String, u32>,
    /// Confirmed transactions, each with an address, of which all is reported and the cursor keeps nothing any more.
    settled: BTreeSet<(String, String)>,
}

impl Schedule {
    /// The quoted addresses to ask for now, those first that wait longest. `quoted`: an address and the second of its last
    /// quote.
    pub(super) fn due(&self, quoted: &[(String, u64)], now: u64) -> Vec<String> {
        let asked = |address: &str| self.asked.get(address).copied();
        let is_due = |(address, at): &&(String, u64)| {
            at.saturating_add(NEW) >= now
                || asked(address).is_none_or(|asked| now < asked || now - asked >= MINUTE)
        };
        let mut due: Vec<String> = quoted.iter().filter(is_due).map(|(address, _)| address.clone()).collect();
        due.sort_by_key(|address| asked(address));
        due
    }

    /// Up to which address the round is, and how many to ask for next, so many seconds after the last look.
    pub(super) fn round(&self, waited: u64) -> (&str, u32) {
        let usual = u32::try_from((waited / OTHER).clamp(1, 6)).unwrap_or(1);
        (&self.after, if self.is_round_done { usual } else { 100 })
    }

    pub(super) fn note_asked(&mut self, address: &str, now: u64) {
        self.asked.insert(address.to_owned(), now);
    }

    /// Continues the round after these addresses; without any it starts again.
    pub(super) fn advance(&mut self, asked: &[String]) {
        if let Some(last) = asked.last() {
            self.after.clone_from(last);
        } else {
            self.after.clear();
            self.is_round_done = true;
        }
    }

    /// Returns how often it could not be read since it was read last.
    pub(super) fn note_failed(&mut self, address: &str) -> u32 {
        let times = self.failed.entry(address.to_owned()).or_default();
        *times = times.saturating_add(1);
        *times
    }

    pub(super) fn note_read(&mut self, address: &str) {
        self.failed.remove(address);
    }

    /// Those that could not be read, some of them.
    pub(super) fn failed(&self) -> Vec<String> {
        self.failed.keys().take(MOST_FAILED).cloned().collect()
    }

    pub(super) fn is_round_done(&self) -> bool {
        self.is_round_done
    }

    /// Forgets addresses that are not quoted any more.
    pub(super) fn keep(&mut self, quoted: &[(String, u64)]) {
        let quoted: BTreeSet<&str> = quoted.iter().map(|(address, _)| address.as_str()).collect();
        self.asked.retain(|address, _| quoted.contains(address.as_str()));
    }

    pub(super) fn settle(&mut self, id: &str, address: &str) {
        self.settled.insert((id.to_owned(), address.to_owned()));
    }

    pub(super) fn is_settled(&self, id: &str, address: &str) -> bool {
        self.settled.contains(&(id.to_owned(), address.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_quotes_are_asked_for_always_and_older_ones_every_minute() {
        const SECOND: u64 = 1_000_000;
        let quoted = vec![("new".to_owned(), SECOND), ("older".to_owned(), SECOND - NEW - 1)];
        let (start, mut schedule) = (SECOND, Schedule::default());
        let check = |schedule: &Schedule, now, expected: &[&str]| {
            assert_eq!(schedule.due(&quoted, now), expected);
        };
        check(&schedule, start, &["new", "older"]);
        schedule.note_asked("new", start);
        check(&schedule, start, &["older", "new"]);
        schedule.note_asked("older", start);
        check(&schedule, start, &["new"]);
        check(&schedule, start + MINUTE, &["new", "older"]);
    }

    #[test]
    fn every_address_is_asked_for_in_turn() {
        let mut schedule = Schedule::default();
        assert_eq!(schedule.round(0), ("", 100));
        schedule.advance(&["a".to_owned(), "b".to_owned()]);
        assert_eq!((schedule.round(60), schedule.is_round_done()), (("b", 100), false));
        schedule.advance(&[]);
        assert_eq!((schedule.round(60), schedule.is_round_done()), (("", 3), true));
        schedule.advance(&["a".to_owned()]);
        assert_eq!([0, 40, 3_600].map(|waited| schedule.round(waited)), [("a", 1), ("a", 2), ("a", 6)]);
    }
}
