//! One file as an HTTP answer: encoding, caching, conditional requests.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};

use super::encoding::{self, Encoding};
use super::{Cache, File};

pub(super) fn file(file: &'static File, request: &HeaderMap) -> Response<Body> {
    let encoding = encoding::choose(request, file.br.is_some(), file.gz.is_some());
    let bytes = match encoding {
        Encoding::Brotli => file.br,
        Encoding::Gzip => file.gz,
        Encoding::Identity => None,
    };
    let mut response = Response::new(Body::from(bytes.unwrap_or(file.identity)));
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control(&file.cache)));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));

    if !matches!(file.cache, Cache::NoStore) {
        let tag = entity_tag(file, encoding);
        let known = matches(request, &tag);
        headers.insert(header::ETAG, HeaderValue::try_from(tag).expect("a tag of ASCII letters and digits"));
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = Body::empty();
            return response;
        }
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.mime));
    if let Some(token) = encoding.token() {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(token));
    }
    response
}

fn cache_control(cache: &Cache) -> &'static str {
    match cache {
        Cache::Immutable => "public, max-age=31536000, immutable, no-transform",
        Cache::Short => "public, max-age=300, no-transform",
        Cache::NoStore => "no-store",
    }
}

/// Strong tags distinguish the encodings of a file.
fn entity_tag(file: &File, encoding: Encoding) -> String {
    match encoding.token() {
        Some(token) => format!("\"{}-{token}\"", file.digest),
        None => format!("\"{}\"", file.digest),
    }
}

/// `If-None-Match`, by weak comparison (RFC 9110, section 13.1.2).
fn matches(request: &HeaderMap, tag: &str) -> bool {
    let lines = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}
