//! The duration of each step's last run on this machine: `target/xtask/times.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::workspace::Workspace;
use crate::{Outcome, files};

pub(super) struct Times {
    last: BTreeMap<String, f64>,
    now: BTreeMap<String, f64>,
}

impl Times {
    /// A file that is missing or damaged counts as empty.
    pub(super) fn read(workspace: &Workspace) -> Self {
        let text = fs::read_to_string(path(workspace)).unwrap_or_default();
        Self { last: serde_json::from_str(&text).unwrap_or_default(), now: BTreeMap::new() }
    }

    pub(super) fn write(&self, workspace: &Workspace) -> Outcome<()> {
        let all: BTreeMap<_, _> = self.last.iter().chain(&self.now).collect();
        files::write(&path(workspace), serde_json::to_string_pretty(&all).expect("a map of numbers"))
    }

    pub(super) fn keep(&mut self, step: &str, time: Duration) {
        self.now.insert(step.to_owned(), time.as_secs_f64());
    }

    /// Expected seconds: those of the last run, or the usual ones.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "seconds of a step are few")]
    pub(super) fn of(&self, step: &str, usual: u64) -> u64 {
        self.last.get(step).map_or(usual, |seconds| seconds.ceil() as u64)
    }

    /// The text for the start of a step.
    pub(super) fn shown(&self, step: &str, usual: u64) -> String {
        let time = shown(Duration::from_secs(self.of(step, usual)));
        match self.last.get(step) {
            Some(_) => format!("{time} the last time"),
            None => format!("about {time} the first time"),
        }
    }

    /// The table of the times of this run, the longest first.
    pub(super) fn table(&self, all: Duration) -> String {
        let mut rows: Vec<_> = self.now.iter().collect();
        rows.sort_by(|one, other| other.1.total_cmp(one.1));
        let row = |(step, seconds): (&String, &f64)| format!("{seconds:>8.1} s  {step}\n");
        let text: String = rows.into_iter().map(row).collect();
        text + &format!("{:>8.1} s  in all\n", all.as_secs_f64())
    }
}

fn path(workspace: &Workspace) -> PathBuf {
    workspace.scratch().join("times.json")
}

/// Formats a time: `75 s`, `12 min`.
pub(super) fn shown(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds => format!("{} min", (seconds + 30) / 60),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::Times;

    #[test]
    fn the_last_time_replaces_the_usual_one() {
        let last = BTreeMap::from([("known".to_owned(), 12.3)]);
        let mut times = Times { last, now: BTreeMap::new() };
        assert_eq!(times.shown("known", 60), "13 s the last time");
        assert_eq!(times.shown("new", 60), "about 60 s the first time");
        times.keep("new", Duration::from_millis(1_500));
        times.keep("long", Duration::from_secs(2));
        let table = times.table(Duration::from_secs(3));
        assert_eq!(table, "     2.0 s  long\n     1.5 s  new\n     3.0 s  in all\n");
    }
}
