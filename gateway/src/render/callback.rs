//! A callback with its attempts.

use checkout_domain::callback::{Attempt, Callback, Outcome};
use checkout_wire::list_callbacks::{self as wire, CallbackAttempt};

use crate::greenfield::delivery::without_secret;

/// `event`: its name in the document.
pub fn callback(callback: &Callback, event: &str, attempts: &[Attempt]) -> wire::Callback {
    let is_of_shop = callback.kind.is_of_webhook();
    wire::Callback {
        id: callback.id.to_string().into(),
        event: event.to_owned(),
        subject_id: callback.subject.to_string().into(),
        status: callback.state,
        created_at: callback.created_at.into(),
        next_attempt_at: callback.due_at.map(Into::into),
        body: if is_of_shop { without_secret(&callback.body) } else { callback.body.clone() },
        attempts: attempts.iter().map(attempt).collect(),
    }
}

fn attempt(attempt: &Attempt) -> CallbackAttempt {
    let outcome = attempt.ended.as_ref().map(|ended| &ended.outcome);
    let (http_status, error) = match outcome {
        None => (None, None),
        Some(Outcome::Answered { status }) => (Some(*status), None),
        Some(Outcome::Unanswered { reason }) => (None, Some(reason.clone())),
    };
    CallbackAttempt {
        number: attempt.number,
        started_at: attempt.started_at.into(),
        url: attempt.url.clone(),
        duration_millis: attempt.ended.as_ref().map(|ended| ended.millis),
        http_status,
        error,
    }
}
