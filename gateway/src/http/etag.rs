//! Entity tags.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// A strong tag: the digest of the bytes.
pub fn entity_tag(body: &[u8]) -> HeaderValue {
    let text = format!("\"{}\"", URL_SAFE_NO_PAD.encode(&Sha256::digest(body)[..18]));
    HeaderValue::try_from(text).expect("base64url in quotes is a header value")
}

/// `If-None-Match`, by weak comparison (RFC 9110, section 13.1.2).
pub fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known).as_bytes() == tag.as_bytes())
}
