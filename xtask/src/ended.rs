//! What became of a step, as its process tells the run.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::counts::Counts;
use crate::outcome::Outcome;
use crate::workspace::Workspace;

pub(crate) struct Ended {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome<()>,
    pub(crate) counts: Counts,
}

impl Ended {
    pub(crate) fn to_json(&self) -> Value {
        json!({"error": self.outcome.as_ref().err(), "counts": self.counts.to_json()})
    }

    pub(crate) fn of_json(name: &'static str, value: &Value) -> Self {
        let outcome = match &value["error"] {
            Value::Null => Ok(()),
            sentence => Err(sentence.as_str().unwrap_or_default().to_owned()),
        };
        Self { name, outcome, counts: Counts::of_json(&value["counts"]) }
    }
}

/// What a step wrote.
pub(crate) fn log_of(workspace: &Workspace, step: &str) -> PathBuf {
    workspace.scratch().join(format!("{}.log", step.replace(' ', "-")))
}

#[cfg(test)]
mod tests {
    use super::Ended;
    use crate::counts::Counts;
    use crate::failure::Failure;

    #[test]
    fn the_result_of_a_step_crosses_the_border_of_a_process() {
        let variables = [("CHECKOUT_ENGINE", "firefox")];
        let failure =
            Failure::new("checkout-e2e --test e2e".to_owned(), "journeys::a".to_owned(), &variables);
        let repeat = vec!["cargo retest --test e2e".to_owned()];
        let counts = Counts { passed: 3, failed: 1, repeat, failures: vec![failure] };
        let ended = Ended { name: "journeys", outcome: Err("failed".to_owned()), counts: counts.clone() };
        let read = Ended::of_json("journeys", &ended.to_json());
        assert_eq!((read.outcome, read.counts), (Err("failed".to_owned()), counts));
    }
}
