//! `checkout callbacks`: lists callbacks and sends them again.

use std::process::ExitCode;

use checkout_domain::callback::{self, Attempt, Callback, State};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::callbacks::CallbackStore as _;
use checkout_domain::ports::{Clock as _, Store as _};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use super::database_args::DatabaseArgs;
use super::{DATABASE, Outcome, answer, block_on, clock, failed, open_existing};

#[derive(Debug, Subcommand)]
pub(super) enum Callbacks {
    /// Lists callbacks, newest first.
    List(ListCallbacks),
    /// Shows one callback with its body and every attempt.
    Show(Show),
    /// Sends a callback again with the same id and body. Needs a running gateway.
    Resend(Resend),
}

#[derive(Debug, Args)]
pub(super) struct ListCallbacks {
    /// Only callbacks of this business.
    #[arg(long, value_name = "ID")]
    business: Option<BusinessId>,
    /// Only callbacks in this state: PENDING, HELD, DELIVERED or FAILED.
    #[arg(long, value_parser = state)]
    state: Option<State>,
    /// Maximum number of rows.
    #[arg(long, default_value_t = 25)]
    limit: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The callback.
    id: Uuid,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// For compatibility: the output is always JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Resend {
    /// The callback.
    id: Uuid,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Callbacks {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::List(list) => block_on(list.run()),
            Self::Show(show) => block_on(show.run()),
            Self::Resend(resend) => block_on(resend.run()),
        }
    }
}

impl ListCallbacks {
    async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        let found = database.callbacks(self.business, self.state, self.limit).await.map_err(failed)?;
        self.args.list(&found, summary, row, &[2])
    }
}

impl Show {
    async fn run(self) -> Outcome {
        let database = open_existing(self.database.as_deref()).await?;
        let Some((callback, attempts)) = database.callback(self.id).await.map_err(failed)? else {
            return Err(none(self.id));
        };
        let mut shown = summary(&callback);
        shown["body"] = json!(callback.body);
        shown["attempts"] = attempts.iter().map(attempt).collect();
        answer(&serde_json::to_string_pretty(&shown).expect("texts and numbers are JSON"))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Resend {
    async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        let now = clock(&database).await?.now();
        let mut tx = database.begin().await.map_err(failed)?;
        let resent = tx.resend_callback(self.id, now).await.map_err(failed)?;
        if let Some(refusal) = resent.refusal() {
            return Err(format!("{}: {refusal}", self.id));
        }
        tx.commit().await.map_err(failed)?;
        database.close().await;
        self.args.say(&json!({"id": self.id.to_string(), "due": true}), "It will be sent now.")
    }
}

fn row(callback: &Callback) -> Vec<String> {
    vec![
        callback.id.to_string(),
        callback.state.as_str().to_owned(),
        format!("{} attempts", callback.attempts),
        callback.kind.as_str().to_owned(),
        callback.subject.to_string(),
    ]
}

fn none(id: Uuid) -> String {
    format!("There is no callback {id}.")
}

fn state(text: &str) -> Result<State, String> {
    State::known(text).ok_or_else(|| format!("must be one of {}", State::KNOWN.join(", ")))
}

fn summary(callback: &Callback) -> Value {
    json!({
        "id": callback.id.to_string(),
        "businessId": callback.business.to_string(),
        "kind": callback.kind.as_str(),
        "subjectId": callback.subject.to_string(),
        "state": callback.state.as_str(),
        "attemptCount": callback.attempts,
        "createdAt": callback.created_at,
        "dueAt": callback.due_at,
    })
}

fn attempt(attempt: &Attempt) -> Value {
    let (status, reason) = match attempt.ended.as_ref().map(|ended| &ended.outcome) {
        Some(callback::Outcome::Answered { status }) => (Some(*status), None),
        Some(callback::Outcome::Unanswered { reason }) => (None, Some(reason)),
        None => (None, None),
    };
    json!({
        "number": attempt.number,
        "startedAt": attempt.started_at,
        "url": attempt.url,
        "millis": attempt.ended.as_ref().map(|ended| ended.millis),
        "status": status,
        "reason": reason,
    })
}
