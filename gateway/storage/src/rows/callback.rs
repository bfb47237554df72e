//! A row of `callbacks`.

use checkout_domain::callback::{Attempt, Callback, Ended, Kind, Outcome, State};
use checkout_domain::ports::Stored;

use crate::Transaction;
use crate::statements::columns::columns;
use crate::statements::row::{Row, bad};

columns! {
    "callbacks": callback: Callback, from row;
    fields {
        Once id = callback.id => parsed;
        Once business = callback.business => parsed;
        Key kind = callback.kind.as_str() => word(kind);
        Key subject = callback.subject => parsed;
        Key sequence = callback.sequence => number;
        Changes body = &callback.body => text;
        Once created_at = callback.created_at => number;
        Changes state = callback.state.as_str() => word(State::known);
        Once attempts = callback.attempts => number;
        Once failures = callback.failures => number;
        Changes due_at = callback.due_at => optional_number;
    }
    columns {
        Changes "set_at" = callback.due_at.unwrap_or(callback.created_at);
    }
}

#[expect(clippy::unnecessary_wraps, reason = "each word is a kind, also one of a later release")]
fn kind(word: &str) -> Option<Kind> {
    Some(Kind::stored(word.to_owned()))
}

/// Adds callbacks of different subjects.
pub(crate) async fn put(connection: &mut Transaction, callbacks: &[Callback]) -> Stored<()> {
    let end = format!(
        "ON CONFLICT (kind, subject, sequence) DO UPDATE SET {} WHERE callbacks.state = 'HELD'",
        COLUMNS.excluded()
    );
    COLUMNS.insert_all(callbacks.iter().map(|callback| ([], callback)), &end).run(connection).await
}

pub(crate) fn attempt(row: &Row) -> Stored<Attempt> {
    let ended = match row.optional_number("millis")? {
        None => None,
        Some(millis) => {
            let status: Option<u16> = row.optional_number("status")?;
            let outcome = match (status, row.optional_text("reason")?) {
                (Some(status), None) => Outcome::Answered { status },
                (None, Some(reason)) => Outcome::Unanswered { reason },
                _ => return Err(bad("reason")),
            };
            Some(Ended { millis, outcome })
        }
    };
    Ok(Attempt {
        number: row.number("number")?,
        started_at: row.number("started_at")?,
        url: row.optional_text("url")?,
        ended,
    })
}
