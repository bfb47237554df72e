//! `GET /desk/audit`: the audit log, for managers.

use axum::http::HeaderMap;
use axum::response::Response;
use checkout_domain::access::audit;
use checkout_domain::access::operator::Role;
use schemars::JsonSchema;
use serde::Serialize;

use super::session::SignedIn;
use crate::http::list::{self, ListEntry};
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::page;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "the names of the fields are the description; the handler reads fields")]
pub(super) struct ListAudit {
    after: String,
    before: String,
    descending: String,
    limit: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuditEntry {
    id: String,
    at: u64,
    operator: String,
    client: String,
    action: String,
    target: String,
    detail: String,
    outcome: String,
}

impl ListEntry for AuditEntry {
    const COLUMNS: &'static [&'static str] =
        &["id", "at", "operator", "client", "action", "target", "detail", "outcome"];

    fn id(&self) -> &str {
        &self.id
    }
}

pub(super) async fn list(
    signed_in: SignedIn,
    headers: HeaderMap,
    query: Parameters<ListAudit>,
) -> Result<Response, Refusal> {
    signed_in.require(Role::Manager)?;
    let read = |fields: &mut Fields| Some((page::read(fields), fields.has("limit")));
    let (page, is_limited) = query.read(read)?;
    let app = signed_in.sender.desk.app.clone();
    let read = move |page| {
        let app = app.clone();
        async move { Ok(app.store.audit(&page).await?.into_iter().map(entry).collect()) }
    };
    list::answer(&headers, page, is_limited, read).await
}

fn entry(entry: audit::AuditRecord) -> AuditEntry {
    let audit::AuditRecord { id, at, operator, client, action, target, detail, outcome } = entry;
    AuditEntry { id: id.to_string(), at, operator, client, action, target, detail, outcome }
}
