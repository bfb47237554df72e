//! RFC 9457 problem details, the form of every API error (`application/problem+json`).

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::schema::{Code, HttpStatus};

/// An error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// URI of the kind of problem: `urn:crypto-checkout:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind of problem, for people.
    pub title: String,
    /// HTTP status.
    #[cfg_attr(feature = "schema", schemars(with = "HttpStatus"))]
    pub status: u16,
    /// The error of this request, for people.
    #[serde(default)]
    pub detail: String,
    /// Stable name of the kind of problem, for programs.
    #[cfg_attr(feature = "schema", schemars(with = "Code"))]
    pub code: String,
    /// The `X-Request-Id` of the response. Include it in support requests.
    pub request_id: String,
    /// All errors of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

/// One error of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldError {
    /// JSON Pointer (RFC 6901) to the field, such as `/displayAmount`, or `/` and the name of a parameter.
    pub pointer: String,
    /// Stable name of the error, such as `required` or `too_many_decimals`.
    #[cfg_attr(feature = "schema", schemars(with = "Code"))]
    pub code: String,
    /// The error, for people.
    pub detail: String,
}

impl FieldError {
    /// Of a field, whose name is escaped by RFC 6901.
    pub fn of(field: &str, code: &str, detail: impl Into<String>) -> Self {
        let pointer = format!("/{}", field.replace('~', "~0").replace('/', "~1"));
        Self { pointer, code: code.to_owned(), detail: detail.into() }
    }
}
