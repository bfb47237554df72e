//! The duration of each step's last run on this machine: `target/xtask/times.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::files;
use crate::outcome::Outcome;
use crate::workspace::Workspace;

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
        files::create_folder(&workspace.scratch())?;
        files::write(&path(workspace), serde_json::to_string_pretty(&all).expect("a map of numbers"))
    }

    pub(super) fn keep(&mut self, step: &str, time: Duration) {
        self.now.insert(step.to_owned(), time.as_secs_f64());
    }

    /// The text for the headline of a step.
    pub(super) fn of(&self, step: &str, usual: u64) -> String {
        match self.last.get(step) {
            Some(seconds) => format!("{} the last time", shown(Duration::from_secs_f64(*seconds))),
            None => format!("about {} the first time", shown(Duration::from_secs(usual))),
        }
    }

    /// The total time of steps, given with their usual seconds.
    pub(super) fn of_all(&self, steps: &[(&str, u64)]) -> Duration {
        let one = |(step, usual): &(&str, u64)| {
            self.last.get(*step).map_or(Duration::from_secs(*usual), |last| Duration::from_secs_f64(*last))
        };
        steps.iter().map(one).sum()
    }

    /// The table of the times of this run.
    pub(super) fn table<'a>(&self, steps: impl Iterator<Item = &'a str>, all: Duration) -> String {
        let mut text = String::new();
        for step in steps {
            if let Some(seconds) = self.now.get(step) {
                text.push_str(&format!("{seconds:>8.1} s  {step}\n"));
            }
        }
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

    use super::{Times, shown};

    #[test]
    fn the_last_time_replaces_the_usual_one() {
        let mut times = Times { last: BTreeMap::from([("known".to_owned(), 12.3)]), now: BTreeMap::new() };
        assert_eq!(times.of("known", 60), "12 s the last time");
        assert_eq!(times.of("new", 60), "about 60 s the first time");
        assert_eq!(times.of_all(&[("known", 60), ("new", 60)]), Duration::from_millis(72_300));
        times.keep("new", Duration::from_millis(1_500));
        let table = times.table(["known", "new"].into_iter(), Duration::from_secs(2));
        assert_eq!(table, "     1.5 s  new\n     2.0 s  in all\n");
    }

    #[test]
    fn times_are_short() {
        for (seconds, expected) in [(0, "0 s"), (99, "99 s"), (100, "2 min"), (1_199, "20 min")] {
            assert_eq!(shown(Duration::from_secs(seconds)), expected);
        }
    }
}
