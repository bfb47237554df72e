//! Callbacks with their delivery attempts.

use checkout_domain::callback::{Attempt, Callback, Outcome, State};
use checkout_domain::ports::Stored;
use checkout_domain::ports::callbacks::Resent;
use checkout_gateway::events;
use checkout_simulator::World;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallbackView {
    /// The `webhook-id`.
    pub id: String,
    /// The event in words.
    pub event: &'static str,
    pub state: &'static str,
    pub created_at: u64,
    /// When the next attempt is due; during an attempt, when its lease ends.
    pub due_at: Option<u64>,
    pub payment_id: Option<String>,
    /// The id of the deposit or the withdrawal.
    pub subject_id: String,
    pub body: String,
    pub attempts: Vec<AttemptView>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptView {
    pub number: u32,
    pub started_at: u64,
    pub url: Option<String>,
    /// Missing while the attempt is in progress.
    pub millis: Option<u64>,
    pub status: Option<u16>,
    pub reason: Option<String>,
}

/// Lists callbacks, newest first.
pub async fn list(world: &World, state: Option<State>, limit: u32) -> Stored<Vec<CallbackView>> {
    let mut views = Vec::new();
    for callback in world.app.store.callbacks(None, state, limit).await? {
        views.extend(show(world, callback.id).await?);
    }
    Ok(views)
}

pub async fn show(world: &World, id: Uuid) -> Stored<Option<CallbackView>> {
    let Some((callback, attempts)) = world.app.store.callback(id).await? else { return Ok(None) };
    Ok(Some(view(callback, &attempts)))
}

/// Makes a callback due now, as `checkout callbacks resend` does.
pub async fn resend(world: &World, id: Uuid) -> Stored<Resent> {
    let mut tx = world.app.store.begin().await?;
    let resent = tx.resend_callback(id, world.app.clock.now()).await?;
    tx.commit().await?;
    Ok(resent)
}

/// The payment that a callback's body names; a typed event does in its data.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfPayment {
    payment_id: Option<String>,
    data: Option<OfData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfData {
    payment_id: Option<String>,
}

impl OfPayment {
    fn id(self) -> Option<String> {
        self.payment_id.or_else(|| self.data?.payment_id)
    }
}

fn view(callback: Callback, attempts: &[Attempt]) -> CallbackView {
    let named = serde_json::from_str::<OfPayment>(&callback.body).ok();
    CallbackView {
        id: callback.id.to_string(),
        event: events::title(&callback.kind),
        state: callback.state.as_str(),
        created_at: callback.created_at,
        due_at: callback.due_at,
        payment_id: named.and_then(OfPayment::id),
        subject_id: callback.subject.to_string(),
        body: callback.body,
        attempts: attempts.iter().map(attempt_view).collect(),
    }
}

fn attempt_view(attempt: &Attempt) -> AttemptView {
    let (status, reason) = match attempt.ended.as_ref().map(|ended| &ended.outcome) {
        Some(Outcome::Answered { status }) => (Some(*status), None),
        Some(Outcome::Unanswered { reason }) => (None, Some(reason.clone())),
        None => (None, None),
    };
    AttemptView {
        number: attempt.number,
        started_at: attempt.started_at,
        url: attempt.url.clone(),
        millis: attempt.ended.as_ref().map(|ended| ended.millis),
        status,
        reason,
    }
}
