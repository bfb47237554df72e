//! `GET /api/v1/callbacks`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use checkout_core::wire::list_callbacks::{Callback, ListCallbacks};
use serde_json::Value;

use super::Shared;
use super::auth::{Bearer, ReadCallbacks};
use super::list::{self, CSV, Entry};
use super::openapi::operation::Describe as _;
use super::openapi::tag;
use super::parameters::Parameters;
use super::problem::Refusal;
use crate::events;
use crate::render::callback::callback;
use crate::requests::list_callbacks;
use crate::service::refused::Refused;
use crate::service::resolve_business;

const ABOUT: &str = "A page of the callbacks to a business with the body and every attempt, newest first unless `descending` is false. The \
cursors `after` and `before` are ids of callbacks, exclusive, and stay valid while callbacks are added. With `Accept: text/csv` the \
answer is CSV, and has all callbacks from there on unless `limit` is given. Callbacks of payments in the archive are not listed.";

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listCallbacks")
        .tag(tag::CALLBACKS)
        .summary("List callbacks")
        .description(ABOUT)
        .answers::<Vec<Callback>>(200, "The callbacks.")
        .answers_text(200, "The callbacks.", CSV)
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadCallbacks>,
    headers: HeaderMap,
    Parameters(mut fields, _): Parameters<ListCallbacks>,
) -> Result<Response, Refusal> {
    let business = resolve_business::find(&app, caller, &mut fields).await?;
    let query = list_callbacks::read(&mut fields);
    let (Some(business), Some((filter, page))) = (business, query) else {
        return Err(Refused::Invalid(fields.into_errors()).into());
    };
    for (name, cursor) in page.cursors() {
        let known = app.store.callback(cursor).await?;
        if known.is_none_or(|(known, _)| known.business != business.id) {
            fields.error(name, "unknown_cursor", "is not the id of a callback of yours");
        }
    }
    if !fields.is_valid() {
        return Err(Refused::Invalid(fields.into_errors()).into());
    }
    let is_limited = fields.has("limit");
    let read = move |page| {
        let (app, filter) = (app.clone(), filter.clone());
        async move {
            let found = app.store.callback_page(business.id, &filter, &page).await?;
            Ok(found
                .iter()
                .map(|(found, attempts)| callback(found, events::name(&found.kind), attempts))
                .collect())
        }
    };
    list::answer::<Callback, _>(&headers, page, is_limited, read).await
}

impl Entry for Callback {
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

    fn add_columns(&self, fields: &mut Value) {
        let last = self.attempts.last();
        fields["attemptCount"] = self.attempts.len().into();
        fields["lastHttpStatus"] = last.and_then(|attempt| attempt.http_status).into();
        fields["lastError"] = last.and_then(|attempt| attempt.error.clone()).into();
    }
}
