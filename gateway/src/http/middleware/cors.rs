//! CORS for the session routes: only the origins of the payment's business.

use checkout_domain::ids::PaymentId;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::http::requests::id;
use crate::service::App;

const PREFLIGHT: [(HeaderName, &str); 3] = [
    (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, PATCH"),
    (header::ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type, if-none-match, x-request-id"),
    (header::ACCESS_CONTROL_MAX_AGE, "7200"),
];

const EXPOSED: &str = "etag, retry-after, x-request-id, x-server-time";

pub(in crate::http) async fn allow_merchant_origins(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(origin) = request.headers().get(header::ORIGIN).cloned() else {
        return varied(next.run(request).await);
    };
    // Answered without the store: a preflight has no token. The request that follows needs one, and only
    // allowed origins can read its answer.
    if request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
    {
        let mut response = StatusCode::NO_CONTENT.into_response();
        for (name, value) in PREFLIGHT {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        return varied(response);
    }
    let payment = request.uri().path().rsplit('/').next().and_then(id::payment);
    let allowed = is_allowed(&app, payment, &origin).await;
    let mut response = next.run(request).await;
    if allowed {
        allow(&mut response, origin);
    }
    varied(response)
}

/// Every origin can read that a request was over a limit: this is known without the store, and no secret.
pub(in crate::http) async fn expose_refusals(request: Request, next: Next) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut response = next.run(request).await;
    let is_refusal = response.status() == StatusCode::TOO_MANY_REQUESTS;
    let Some(origin) = origin.filter(|_| is_refusal) else { return response };
    allow(&mut response, origin);
    varied(response)
}

fn allow(response: &mut Response, origin: HeaderValue) {
    let headers: &mut HeaderMap = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}

async fn is_allowed(app: &App, payment: Option<PaymentId>, origin: &HeaderValue) -> bool {
    let (Some(payment), Ok(origin)) = (payment, origin.to_str()) else { return false };
    let terms = app.store.page_terms(payment).await.ok().flatten();
    terms.is_some_and(|terms| terms.allowed_origins.iter().any(|allowed| allowed == origin))
}

fn varied(mut response: Response) -> Response {
    response.headers_mut().append(header::VARY, HeaderValue::from_static("origin"));
    response
}
