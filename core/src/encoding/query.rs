//! The parameters of a URI.

use alloc::string::String;

use super::percent;

/// The `key=value` pairs of what follows the question mark, undecoded.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// Appends a parameter, encoded, with the separator that is due.
pub(crate) fn push(uri: &mut String, key: &str, value: &str) {
    uri.push(if uri.contains('?') { '&' } else { '?' });
    uri.push_str(key);
    uri.push('=');
    percent::encode_into(uri, value);
}
