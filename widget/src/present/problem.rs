//! Screen `problem`: the error, and what the payer can do about it.

use super::links::Link;
use super::support::support;
use crate::page::Shared;
use crate::screen::Problem;
use crate::state::Failed;
use crate::words::{Words, fill};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemView {
    pub code: &'static str,
    pub title: &'static str,
    pub text: &'static str,
    /// The page retries automatically.
    pub retrying: bool,
    pub retry: Option<&'static str>,
    pub way_back: Option<Link>,
    pub reference: Option<String>,
    pub support: Option<Link>,
}

pub(super) fn problem(shared: &Shared, failed: &Failed, words: &Words) -> ProblemView {
    let problem = failed.problem;
    let w = &words.problem;
    let (title, text) = match problem {
        Problem::Link => (w.link_title, w.link_text),
        Problem::Unreachable => (w.unreachable_title, w.unreachable_text),
        Problem::Refused => (w.refused_title, w.refused_text),
        Problem::Unreadable => (w.unreadable_title, w.unreadable_text),
        Problem::NothingOffered => (w.nothing_title, w.nothing_text),
    };
    let way_back = shared.opened.as_ref().zip(shared.way_back()).map(|(opened, url)| Link {
        label: fill(words.done.back_to, &[("merchant", &opened.merchant)]),
        href: url.to_owned(),
    });
    ProblemView {
        code: problem.code(),
        title,
        text,
        retrying: problem == Problem::Unreachable,
        retry: match problem {
            Problem::Unreachable => Some(w.retry),
            Problem::Unreadable => Some(w.reload),
            Problem::Link | Problem::Refused | Problem::NothingOffered => None,
        },
        way_back,
        reference: failed
            .reference
            .as_deref()
            .or(shared.opened.as_ref().map(|opened| opened.payment.client_payment_id.as_str()))
            .map(|id| fill(words.page.reference, &[("reference", id)])),
        support: support(shared, words),
    }
}
