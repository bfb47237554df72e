//! What became of a step: the sum of all `test result:` lines, the tests that failed, and the commands that repeat them.

use std::fmt;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::process;

pub(crate) struct Ended {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome<()>,
    pub(crate) counts: Counts,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// Commands that repeat failed tests.
    pub(crate) repeat: Vec<String>,
    /// Failed tests by name.
    pub(crate) failures: Vec<Failure>,
}

impl Counts {
    /// Adds the numbers of a `test result:` line of `cargo test`; ignores other lines.
    pub(crate) fn read(&mut self, line: &str) {
        let Some((_, result)) = line.split_once("test result: ") else { return };
        self.passed += number_before(result, " passed");
        self.failed += number_before(result, " failed");
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.repeat.extend(other.repeat);
        self.failures.extend(other.failures);
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

fn number_before(text: &str, word: &str) -> u64 {
    let before = text.split_once(word).map_or("", |(before, _)| before);
    let start = before.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |index| index + 1);
    before[start..].parse().unwrap_or(0)
}

/// Runs a program; prints its output and adds up its `test result:` lines.
pub(crate) fn counted(command: &mut Command, counts: &mut Counts) -> Outcome<()> {
    process::lines(command, |line| {
        println!("{line}");
        counts.read(line);
    })
}

/// The same for tests in Node: adds up the `# pass` and `# fail` lines.
pub(crate) fn counted_in_node(command: &mut Command, counts: &mut Counts) -> Outcome<()> {
    let (mut passed, mut failed) = (0, 0);
    let outcome = process::lines(command, |line| {
        println!("{line}");
        passed += count(line, "# pass ");
        failed += count(line, "# fail ");
    });
    counts.passed += passed;
    counts.failed += failed;
    outcome?;
    if passed > 0 && failed == 0 { Ok(()) } else { Err(format!("{passed} passed, {failed} failed.")) }
}

fn count(line: &str, start: &str) -> u64 {
    line.strip_prefix(start).and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Counts, count};

    #[test]
    fn sums_the_result_lines_and_nothing_else() {
        let mut counts = Counts::default();
        let mut check = |line: &str, passed, failed| {
            counts.read(line);
            assert_eq!((counts.passed, counts.failed), (passed, failed), "{line}");
        };
        check("running 3 tests", 0, 0);
        check(
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            3,
            0,
        );
        check(
            "test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s",
            15,
            2,
        );
        check("test result: \u{1b}[32mok\u{1b}(B\u{1b}[m. 4 passed; 0 failed; 0 ignored", 19, 2);
        check("7 passed; 7 failed", 19, 2);
        assert_eq!(counts.to_string(), "19 passed, 2 failed");
    }

    #[test]
    fn reads_the_sums_of_node_and_of_the_page() {
        assert_eq!(count("# pass 18", "# pass "), 18);
        assert_eq!(count("# fail 2\r", "# fail "), 2);
        assert_eq!(count("ok 1 - # pass 18", "# pass "), 0);
        assert_eq!(count("# pass many", "# pass "), 0);
    }
}
