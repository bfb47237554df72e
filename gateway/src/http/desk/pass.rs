//! Passes a request of an operator on to the public API. Nothing of the request but its path, query, body and these headers
//! comes through.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use checkout_domain::access::actor::Actor;
use checkout_domain::ports::credentials::Known;
use tower::ServiceExt as _;

use super::session::SignedIn;
use crate::http::auth::Authority;
use crate::http::body::LIMIT;
use crate::http::problem::Refusal;
use crate::service::access::audit::Act;

const HEADERS: [HeaderName; 4] =
    [header::ACCEPT, header::CONTENT_TYPE, header::CONTENT_ENCODING, header::IF_NONE_MATCH];

const CSV: HeaderValue = HeaderValue::from_static("text/csv");

/// `/desk/gateway/{path}`
pub(super) async fn json(signed_in: SignedIn, request: Request) -> Result<Response, Refusal> {
    pass(signed_in, request, "/desk/gateway").await
}

/// `/desk/csv/{path}`: a list as a file, for a link.
pub(super) async fn csv(signed_in: SignedIn, mut request: Request) -> Result<Response, Refusal> {
    request.headers_mut().insert(header::ACCEPT, CSV);
    let mut response = pass(signed_in, request, "/desk/csv").await?;
    if response.status() == StatusCode::OK {
        let save = HeaderValue::from_static("attachment; filename=\"export.csv\"");
        response.headers_mut().insert(header::CONTENT_DISPOSITION, save);
    }
    Ok(response)
}

async fn pass(signed_in: SignedIn, request: Request, prefix: &str) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("", |path| path.as_str());
    let uri: Uri =
        path.strip_prefix(prefix).and_then(|path| path.parse().ok()).ok_or_else(Refusal::no_route)?;
    let body = axum::body::to_bytes(body, LIMIT).await.map_err(|_| Refusal::too_large(LIMIT))?;
    let text = String::from_utf8_lossy(&body).into_owned();
    let action = format!("{} {}", parts.method, uri.path());
    let is_noted = !parts.method.is_safe() && signed_in.is_audited();

    let mut inner = Request::new(Body::from(body));
    *inner.method_mut() = parts.method;
    *inner.uri_mut() = uri;
    for name in HEADERS {
        if let Some(value) = parts.headers.get(&name) {
            inner.headers_mut().insert(name, value.clone());
        }
    }
    let operator = &signed_in.operator;
    let known = Known { caller: operator.caller(), scopes: operator.role.scopes(), session: None };
    inner.extensions_mut().insert(Authority(known, Actor::Operator(operator.id)));
    inner.extensions_mut().insert(operator.role);

    let (desk, client) = (&signed_in.sender.desk, signed_in.sender.client.to_string());
    let act = Act {
        operator: operator.name.as_str(),
        client: &client,
        action: &action,
        target: "",
        detail: &text,
        outcome: "STARTED",
    };
    let note =
        async |act: Act<'_>| act.note(desk.app.store.as_ref(), desk.app.new_id(), desk.app.clock.now()).await;
    if is_noted {
        // What cannot be noted is not done.
        note(act).await?;
    }
    let mut response = match desk.api.clone().oneshot(inner).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    if response.extensions().get::<Refusal>().is_some() {
        // An outer layer writes the body, and this is the length of none.
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    if is_noted {
        let outcome = response.status().as_u16().to_string();
        if let Err(error) = note(Act { detail: "", outcome: &outcome, ..act }).await {
            tracing::error!(%error, action, outcome, "the outcome is missing in the audit log");
        }
    }
    Ok(response)
}
