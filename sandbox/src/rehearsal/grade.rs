//! The grade of a shop in a story.

use super::stories::Story;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grade {
    Passed,
    /// The faults of the shop, one sentence each without a full stop.
    Failed(Vec<String>),
    /// Why nothing can be said.
    NotGraded(String),
}

impl Grade {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::NotGraded(_) => "notGraded",
        }
    }

    pub fn reasons(&self) -> &[String] {
        match self {
            Self::Passed => &[],
            Self::Failed(reasons) => reasons,
            Self::NotGraded(reason) => std::slice::from_ref(reason),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Graded {
    pub story: &'static Story,
    pub verdict: Grade,
}

impl Graded {
    /// `objections` is what the shop did wrong. Without a status URL, what the shop believes stays unknown.
    pub(super) fn new(
        story: &'static Story,
        played: Result<(), String>,
        objections: Vec<String>,
        has_status: bool,
    ) -> Self {
        let verdict = match played {
            _ if !objections.is_empty() => Grade::Failed(objections),
            Err(error) => Grade::NotGraded(error),
            Ok(()) if !has_status && !story.by_answers => {
                Grade::NotGraded("what the shop believes is unknown without --status-url".to_owned())
            }
            Ok(()) => Grade::Passed,
        };
        Self { story, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal::stories::STORIES;

    #[test]
    fn what_is_unknown_is_not_passed() {
        let by_belief = STORIES.iter().find(|story| !story.by_answers).unwrap();
        let by_answers = STORIES.iter().find(|story| story.by_answers).unwrap();
        let wrong = || vec!["it is wrong".to_owned()];
        let check = |story, played: Result<(), String>, objections, has_status, expected| {
            let graded = Graded::new(story, played, objections, has_status);
            assert_eq!(graded.verdict.word(), expected);
        };
        check(by_belief, Ok(()), Vec::new(), true, "passed");
        check(by_belief, Ok(()), Vec::new(), false, "notGraded");
        check(by_answers, Ok(()), Vec::new(), false, "passed");
        check(by_belief, Ok(()), wrong(), false, "failed");
        check(by_answers, Err("no order".to_owned()), Vec::new(), true, "notGraded");
        check(by_answers, Err("no order".to_owned()), wrong(), true, "failed");
    }
}
