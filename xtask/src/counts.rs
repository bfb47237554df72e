//! What became of a step: the sum of all `test result:` lines, the tests that failed, and the commands that repeat them.

use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Outcome, process};

pub(crate) struct Ended {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome<()>,
    pub(crate) counts: Counts,
    pub(crate) time: Duration,
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
    /// Adds the numbers of a line `test result: ok. 3 passed; 0 failed` of cargo, or `# pass 3` of Node; ignores others.
    pub(crate) fn read(&mut self, line: &str) {
        if let Some((_, result)) = line.split_once("test result: ") {
            let words: Vec<&str> = result.split([' ', ';']).collect();
            let before =
                |word| words.windows(2).find(|pair| pair[1] == word).and_then(|pair| pair[0].parse().ok());
            self.passed += before("passed").unwrap_or(0);
            self.failed += before("failed").unwrap_or(0);
        }
        let of_node = |start| line.strip_prefix(start).and_then(|number| number.trim().parse().ok());
        self.passed += of_node("# pass ").unwrap_or(0);
        self.failed += of_node("# fail ").unwrap_or(0);
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.repeat.extend(other.repeat);
        self.failures.extend(other.failures);
    }
}

/// A test that fails in its first run and passes when it is repeated, and the step that runs it: the run has to report it.
pub(crate) const CANARY: &str = "canary::fails_once";
pub(crate) const CANARY_STEP: &str = "canary";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// As `Program` displays itself: `checkout-e2e --test e2e`.
    pub(crate) program: String,
    pub(crate) test: String,
    pub(crate) variables: Vec<(String, String)>,
}

impl Failure {
    pub(crate) fn new(program: String, test: String, variables: &[(&str, &str)]) -> Self {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Self { program, test, variables: variables.collect() }
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.program, self.test)
    }

    /// The command that repeats it.
    pub(crate) fn command(&self) -> String {
        let target = self.program.split_once(' ').map_or("", |(_, target)| target);
        format!("cargo retest {target} -- --exact {}", self.test)
    }
}

/// Runs a program; prints its output and adds up what it says of its tests.
pub(crate) fn counted(command: &mut Command, counts: &mut Counts) -> Outcome<()> {
    let before = counts.passed;
    process::lines(command, |line| {
        println!("{line}");
        counts.read(line);
    })?;
    if counts.passed > before { Ok(()) } else { Err("No test was run.".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn sums_the_result_lines_and_nothing_else() {
        let mut counts = Counts::default();
        let mut check = |line: &str, passed, failed| {
            counts.read(line);
            assert_eq!((counts.passed, counts.failed), (passed, failed), "{line}");
        };
        check("running 3 tests", 0, 0);
        check("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; finished in 0.00s", 3, 0);
        check("test result: \u{1b}[32mFAILED\u{1b}(B\u{1b}[m. 12 passed; 2 failed; 0 ignored", 15, 2);
        check("7 passed; 7 failed", 15, 2);
        check("# pass 18", 33, 2);
        check("# fail 2\r", 33, 4);
    }
}
