//! Which tests were unsteady in the last runs on this machine, and which of them `tests/unsteady.txt` allows for a week.

use std::fs;
use std::path::PathBuf;

use crate::counts::Failure;
use crate::workspace::Workspace;
use crate::{Outcome, files};

/// Runs that are remembered.
const RUNS: usize = 10;

/// Dated lines: `2026-11-27 checkout-e2e --test e2e journeys::a: why`. `cargo xtask tidy` refuses one after seven days.
pub(crate) const LIST: &str = "tests/unsteady.txt";

pub(super) struct Record {
    path: PathBuf,
    /// The unsteady tests of each run, the oldest first.
    runs: Vec<Vec<String>>,
    /// The text of [`LIST`].
    allowed: String,
}

impl Record {
    /// A file that is missing or damaged counts as empty.
    pub(super) fn read(workspace: &Workspace) -> Self {
        let path = workspace.cache.join("unsteady.json");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let allowed = fs::read_to_string(workspace.root.join(LIST)).unwrap_or_default();
        Self { path, runs: serde_json::from_str(&text).unwrap_or_default(), allowed }
    }

    pub(super) fn add(mut self, unsteady: &[Failure]) -> Outcome<()> {
        self.runs.push(unsteady.iter().map(Failure::name).collect());
        let first = self.runs.len().saturating_sub(RUNS);
        let text = serde_json::to_string(&self.runs[first..]).expect("lists of texts");
        files::write(&self.path, text)
    }

    /// Why a run with these unsteady tests is red all the same.
    pub(super) fn objections(&self, unsteady: &[Failure], changed: &[String], most: usize) -> Vec<String> {
        let mut objections = Vec::new();
        if unsteady.len() > most {
            objections.push(format!("{} tests are unsteady; a run may have {most}.", unsteady.len()));
        }
        for failure in unsteady {
            let name = failure.name();
            if let Some(file) = changed.iter().find(|file| holds(file, failure)) {
                objections.push(format!("{name} is unsteady, and {file} was changed."));
            }
            let before = self.runs.iter().rev().take(RUNS - 1).any(|run| run.contains(&name));
            if before && !self.allowed.contains(&name) {
                let way = format!("Mend or delete it; a dated line in {LIST} allows it for a week.");
                objections.push(format!("{name} was unsteady before in the last {RUNS} runs. {way}"));
            }
        }
        objections
    }
}

/// Whether a test is in a file, by its module: `journeys::pay_bitcoin::a` is in `…/journeys/pay_bitcoin.rs`.
fn holds(file: &str, failure: &Failure) -> bool {
    let mut modules = failure.test.rsplit("::").skip(1);
    let stem = file.strip_suffix(".rs").and_then(|path| path.rsplit('/').next());
    stem.is_some() && modules.next() == stem
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::Record;
    use crate::counts::Failure;

    #[test]
    fn a_run_with_unsteady_tests_can_be_red() {
        let test = |name: &str| Failure::new("checkout-e2e --test e2e".to_owned(), name.to_owned(), &[]);
        let check =
            |before: &[&str], allowed: &str, unsteady: &[&str], changed: &[&str], expected: &[&str]| {
                let runs = before.iter().map(|name| vec![test(name).name()]).collect();
                let record = Record { path: PathBuf::new(), runs, allowed: allowed.to_owned() };
                let unsteady: Vec<_> = unsteady.iter().map(|name| test(name)).collect();
                let changed: Vec<_> = changed.iter().map(|file| (*file).to_owned()).collect();
                let found = record.objections(&unsteady, &changed, 3);
                assert_eq!(found.len(), expected.len(), "{found:?}");
                assert!(found.iter().zip(expected).all(|(found, part)| found.contains(part)), "{found:?}");
            };
        check(&[], "", &["a::b"], &[], &[]);
        check(&[], "", &["a::b"], &["tests/e2e/a.rs"], &["a.rs was changed"]);
        check(&[], "", &["a::b"], &["tests/e2e/b.rs", "www/a.css"], &[]);
        check(&["x::y"], "", &["a::b"], &[], &[]);
        check(&["a::b", "x::y"], "", &["a::b"], &[], &["unsteady before"]);
        check(&["a::b"], "2026-11-27 checkout-e2e --test e2e a::b: why", &["a::b"], &[], &[]);
        check(&[], "", &["a::1", "a::2", "a::3", "a::4"], &[], &["4 tests"]);
    }
}
