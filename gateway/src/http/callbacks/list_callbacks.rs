//! `GET /api/v1/callbacks`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use checkout_domain::callback::filter::CallbackFilter;
use checkout_domain::callback::{Kind, State as CallbackState};
use checkout_wire::list_callbacks::{Callback, ListCallbacks};
use serde_json::Value;

use crate::events;
use crate::http::Shared;
use crate::http::auth::{Bearer, ReadCallbacks};
use crate::http::list::{self, CSV, ListEntry, ListRequest};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::page;
use crate::render::callback::callback;
use crate::service::callbacks::callback_subject;

const ABOUT: &str = "A page of the callbacks to a business with the body and every attempt, newest first unless `descending` is false. The \
cursors `after` and `before` are ids of callbacks, exclusive, and stay valid while callbacks are added. With `Accept: text/csv` the \
answer is CSV, and has all callbacks from there on unless `limit` is given.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listCallbacks")
        .tag(tag::CALLBACKS)
        .summary("List callbacks")
        .description(ABOUT)
        .answers::<Vec<Callback>>(200, "The callbacks.")
        .answers_text(200, "The callbacks.", CSV)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadCallbacks>,
    headers: HeaderMap,
    Parameters(fields, _): Parameters<ListCallbacks>,
) -> Result<Response, Refusal> {
    let is_entry = async |business, id| {
        Ok(app.store.callback(id).await?.is_some_and(|(found, _)| found.business == business))
    };
    let request = ListRequest::read(&app, caller, fields, filter, "a callback", is_entry).await?;
    if let Some(subject) = request.filter.subject {
        callback_subject::check(&app, request.business, subject).await?;
    }
    let read = |app: Shared, business, filter, page| async move {
        let found = app.store.callback_page(business, &filter, &page).await?;
        let shown = |(found, attempts): &(_, Vec<_>)| callback(found, events::name(&found.kind), attempts);
        Ok(found.iter().map(shown).collect())
    };
    request.answer(app, &headers, read).await
}

fn filter(fields: &mut Fields) -> CallbackFilter {
    CallbackFilter {
        state: fields.word("status", CallbackState::KNOWN, CallbackState::known),
        kind: event(fields),
        subject: page::uuid(fields, "subjectId"),
        created: page::created(fields),
    }
}

fn event(fields: &mut Fields) -> Option<Kind> {
    let name = fields.text("event")?;
    let kind = events::named(&name).map(|listed| listed.about.kind.clone());
    fields
        .accept("event", kind.ok_or_else(|| ("unknown_value", format!("must be one of {}", events::names()))))
}

impl ListEntry for Callback {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "event",
        "subjectId",
        "status",
        "createdAt",
        "nextAttemptAt",
        "attemptCount",
        "lastHttpStatus",
        "lastError",
        "body",
    ];

    fn id(&self) -> &str {
        &self.id
    }

    fn rows(&self) -> Vec<Value> {
        let last = self.attempts.last();
        let mut row = list::fields(self);
        row.insert("attemptCount".to_owned(), self.attempts.len().into());
        row.insert("lastHttpStatus".to_owned(), last.and_then(|attempt| attempt.http_status).into());
        row.insert("lastError".to_owned(), last.and_then(|attempt| attempt.error.clone()).into());
        vec![row.into()]
    }
}
