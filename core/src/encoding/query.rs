//! URI query parameters.

use alloc::string::String;

use super::percent;

/// The undecoded `key=value` pairs after the question mark.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// Appends an encoded parameter with `?` or `&` before it.
pub(crate) fn push(uri: &mut String, key: &str, value: &str) {
    uri.push(if uri.contains('?') { '&' } else { '?' });
    uri.push_str(key);
    uri.push('=');
    percent::encode_into(uri, value);
}
