//! Parts of every request and answer: the request id, the gateway's time, the log line, the problem body.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use checkout_domain::fail_point;

use crate::http::checkout::visit::is_for_a_person;
use crate::http::problem::{self, MEDIA_TYPE, Refusal};
use crate::http::public::health::PROXY;
use crate::service::App;

pub(in crate::http) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
pub(in crate::http) const SERVER_TIME: HeaderName = HeaderName::from_static("x-server-time");

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The maximum length of path and query; most proxies have the same limit.
const ADDRESS_LIMIT: usize = 8 * 1024;

/// The time limit of a request.
const TIME_LIMIT: Duration = Duration::from_secs(30);

const ONE_YEAR: &str = "max-age=31536000";

/// Errors of these paths are JSON, also in a browser.
const FOR_PROGRAMS: [&str; 5] = ["/api/", "/whitelist-addresses", "/healthz", "/readyz", "/metrics"];

const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

pub(in crate::http) async fn wrap(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    if app.policy.limits.trusted_proxies == 0
        && request.headers().contains_key(FORWARDED_FOR)
        && !app.state.proxy_seen.swap(true, Ordering::Relaxed)
    {
        tracing::warn!("{PROXY}");
    }
    let id = request_id(request.headers()).unwrap_or_else(|| app.new_id().to_string());
    let method = request.method().clone();
    // Without the query, which can contain a session token.
    let path = request.uri().path().to_owned();
    let is_api = path.starts_with("/api/");
    let is_page =
        !FOR_PROGRAMS.iter().any(|start| path.starts_with(start)) && is_for_a_person(request.headers());
    let route = request.extensions().get::<MatchedPath>().cloned();

    let length = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    let answer = async {
        if length > ADDRESS_LIMIT {
            return Refusal::address_too_long(ADDRESS_LIMIT).into_response();
        }
        next.run(request).await
    };
    let answer = tokio::time::timeout(TIME_LIMIT, answer).await;
    let mut response = answer.unwrap_or_else(|_| {
        let detail = "The gateway is busy. What the request was to change may or may not be changed.";
        Refusal::unavailable("timeout", "The request took too long", detail).into_response()
    });

    if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        if is_page {
            let (head, body) = refusal.into_page(&id).into_parts();
            response.headers_mut().extend(head.headers);
            *response.body_mut() = body;
        } else {
            *response.body_mut() = refusal.into_body(&id);
        }
    } else if response.headers().get(header::CONTENT_TYPE) == Some(&MEDIA_TYPE) {
        response = problem::with_request_id(response, &id).await;
    }
    let headers = response.headers_mut();
    if is_api || headers.get(header::CONTENT_TYPE) == Some(&MEDIA_TYPE) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    }
    if app.public_url.starts_with("https:") {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(ONE_YEAR));
    }
    headers.insert(SERVER_TIME, HeaderValue::from(app.clock.now_millis()));
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, value);
    }
    let status = response.status().as_u16();
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    // Unknown methods and paths must not become metric labels.
    let counted = KNOWN.iter().find(|known| **known == method.as_str()).copied().unwrap_or("OTHER");
    app.state.metrics.request(counted, route, status, started.elapsed());
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    if response.status() == StatusCode::NOT_MODIFIED {
        // Most requests are polls without a change.
        tracing::debug!(%method, path, status, millis, request_id = id, "request");
    } else {
        tracing::info!(%method, path, status, millis, request_id = id, "request");
    }
    fail_point::reach("answer");
    response
}

/// The client's own id, if it is safe to log.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let fits = (1..=64).contains(&id.len()) && id.bytes().all(harmless);
    fits.then(|| id.to_owned())
}
