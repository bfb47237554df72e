//! Entity tags.

use axum::http::{HeaderMap, HeaderValue, header};

/// `If-None-Match`, by weak comparison (RFC 9110, section 13.1.2).
pub(super) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known).as_bytes() == tag.as_bytes())
}
