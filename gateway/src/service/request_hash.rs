//! The same id of a merchant with another hash is another request.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// SHA-256 of what a request means.
pub(crate) fn hash(meaning: &Value) -> String {
    hex::encode(Sha256::digest(meaning.to_string().as_bytes()))
}
