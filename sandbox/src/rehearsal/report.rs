//! The report: a line for each story, or JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::grade::{Grade, Graded};
use super::stories::GUIDE;

#[derive(Clone, Debug, Default)]
pub struct Report(pub Vec<Graded>);

impl Report {
    /// Each story was graded, and passed.
    pub fn is_full(&self) -> bool {
        !self.0.is_empty() && self.count("passed") == self.0.len()
    }

    pub fn json(&self) -> Value {
        let story = |graded: &Graded| {
            json!({
                "name": graded.story.name,
                "happens": graded.story.happens,
                "right": graded.story.right,
                "guide": format!("{GUIDE}#{}", graded.story.anchor),
                "verdict": graded.verdict.word(),
                "reasons": graded.verdict.reasons(),
            })
        };
        json!({
            "passed": self.count("passed"),
            "failed": self.count("failed"),
            "notGraded": self.count("notGraded"),
            "stories": self.0.iter().map(story).collect::<Vec<_>>(),
        })
    }

    /// The last line.
    pub fn summary(&self) -> String {
        let (passed, failed, unknown) = (self.count("passed"), self.count("failed"), self.count("notGraded"));
        let all = self.0.len();
        let rest = match (failed, unknown) {
            (0, 0) => String::new(),
            (failed, 0) => format!(", {failed} failed"),
            (0, unknown) => format!(", {unknown} not graded"),
            (failed, unknown) => format!(", {failed} failed, {unknown} not graded"),
        };
        format!("{passed} of {all} passed{rest}.")
    }

    fn count(&self, word: &str) -> usize {
        self.0.iter().filter(|graded| graded.verdict.word() == word).count()
    }
}

/// The lines of one story.
pub fn line(graded: &Graded) -> String {
    let story = graded.story;
    let word = match graded.verdict {
        Grade::Passed => "passed",
        Grade::Failed(_) => "FAILED",
        Grade::NotGraded(_) => "not graded",
    };
    let mut text = format!("{word:<10}  {:<19}  {}", story.name, story.happens);
    for reason in graded.verdict.reasons() {
        let _ = write!(text, "\n            - {reason}");
    }
    if let Grade::Failed(_) = graded.verdict {
        let _ = write!(text, "\n            Right: {} See {GUIDE}#{}", story.right, story.anchor);
    }
    text
}
