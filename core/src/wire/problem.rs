//! RFC 9457 problem details, as every error of the API is written (`application/problem+json`).

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A URI that names the kind of problem.
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub status: u16,
    #[serde(default)]
    pub detail: String,
    /// A stable name for machines, such as `validation_failed`.
    pub code: String,
    pub request_id: String,
    /// Every fault of the body at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

/// One fault of a request body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldError {
    /// RFC 6901 pointer into the body, such as `/displayAmount`.
    pub pointer: String,
    pub code: String,
    pub detail: String,
}
