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
        let others = [(self.count("failed"), "failed"), (self.count("notGraded"), "not graded")];
        summary(self.0.len(), (self.count("passed"), "passed"), others)
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
    let mut text = entry(word, &format!("{:<19}", story.name), story.happens, graded.verdict.reasons());
    if let Grade::Failed(_) = graded.verdict {
        let _ = write!(text, "\n            Right: {} See {GUIDE}#{}", story.right, story.anchor);
    }
    text
}

/// How many of all are right, and what the others are.
pub fn summary(all: usize, (right, word): (usize, &str), others: [(usize, &str); 2]) -> String {
    let mut text = format!("{right} of {all} {word}");
    for (count, word) in others.into_iter().filter(|(count, _)| *count > 0) {
        let _ = write!(text, ", {count} {word}");
    }
    text + "."
}

/// The line of one verdict, and its reasons below.
pub fn entry(verdict: &str, name: &str, text: &str, reasons: &[String]) -> String {
    let mut entry = format!("{verdict:<10}  {name}  {text}");
    for reason in reasons {
        let _ = write!(entry, "\n            - {reason}");
    }
    entry
}
