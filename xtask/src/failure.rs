//! A test that failed, with what repeats it.

use serde::{Deserialize, Serialize};

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
