//! Answers to requests that never reach a route: refused by hyper's parser, by `Host`, or by the connection
//! limits.

use axum::http::{HeaderMap, Request, StatusCode, Version, header};
use axum::response::Response;
use hyper::body::Incoming;
use uuid::Uuid;

use crate::http::middleware::envelope::REQUEST_ID;
use crate::http::problem::{MEDIA_TYPE, Refusal};

/// RFC 9112, section 3.2: HTTP/1.1 has exactly one `Host`.
pub(super) fn wrong_host(request: &Request<Incoming>) -> Option<Refusal> {
    let hosts = request.headers().get_all(header::HOST).iter();
    let (mut count, mut readable) = (0, true);
    for host in hosts {
        count += 1;
        readable &= host.is_empty() || axum::http::uri::Authority::try_from(host.as_bytes()).is_ok();
    }
    let fits = count == 1 || (count == 0 && request.version() < Version::HTTP_11);
    let detail = match (fits, readable) {
        (true, true) => return None,
        (true, false) => "The `Host` cannot be read.",
        (false, _) if count == 0 => "The request has no `Host`.",
        (false, _) => "The request has more than one `Host`.",
    };
    Some(Refusal::new(StatusCode::BAD_REQUEST, "bad_host", "The Host is missing or wrong", detail))
}

/// Above the limit of connections.
pub(super) fn too_many_connections() -> Refusal {
    let detail = "Use fewer connections, and read every answer.";
    Refusal::unavailable("too_many_connections", "Too many connections", detail)
}

/// A whole response, after which the connection is closed.
pub(super) fn response(refusal: Refusal) -> Response {
    let id = new_id();
    let mut response = axum::response::IntoResponse::into_response(refusal);
    let refusal = response.extensions_mut().remove::<Refusal>().expect("a refusal is in its response");
    *response.body_mut() = refusal.into_body(&id);
    let status = response.status().as_u16();
    tracing::info!(status, request_id = id, "a request without a route");
    let headers: &mut HeaderMap = response.headers_mut();
    headers.insert(header::CONNECTION, header::HeaderValue::from_static("close"));
    headers.insert(REQUEST_ID, id.parse().expect("a UUID is a header"));
    response
}

/// Replaces a response that hyper wrote itself, which has no body. Every response of a route has a request
/// id.
pub(super) fn instead_of(head: &[u8]) -> Option<Vec<u8>> {
    let status = head.strip_prefix(b"HTTP/1.1 ").or_else(|| head.strip_prefix(b"HTTP/1.0 "))?;
    let status = std::str::from_utf8(status.get(..3)?).ok()?.parse::<u16>().ok()?;
    let head = std::str::from_utf8(head).ok().filter(|head| head.ends_with("\r\n\r\n"))?;
    if !(400..500).contains(&status) || head.contains(REQUEST_ID.as_str()) {
        return None;
    }
    let (code, title, detail) = match status {
        414 => ("address_too_long", "The address is too long", "The limit for path and query is 8192 bytes."),
        431 => ("headers_too_large", "The headers are too large", "Send fewer or shorter headers."),
        _ => ("unreadable_request", "The request cannot be read", "This is not a valid HTTP/1.1 request."),
    };
    let id = new_id();
    tracing::info!(status, request_id = id, "a request that is not HTTP");
    let status = StatusCode::from_u16(status).ok()?;
    let body = Refusal::new(status, code, title, detail).into_bytes(&id);
    let media_type = MEDIA_TYPE.to_str().expect("it is ASCII").to_owned();
    let head = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\n\
         cache-control: no-store\r\nx-request-id: {id}\r\n\r\n",
        body.len()
    );
    Some([head.into_bytes(), body].concat())
}

/// There is no clock here, and these ids are never listed.
fn new_id() -> String {
    Uuid::new_v4().to_string()
}
