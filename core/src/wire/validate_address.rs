//! `GET /api/v1/currency/{currency}/network/{network}/address/{address}/valid`, and the form with
//! `/destinationTag/{destinationTag}` before the end (public). Interface section 2.8.

use alloc::string::String;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddressValidity {
    pub valid: bool,
    /// The currency travels on the network.
    pub supported: bool,
}

/// The request of the deprecated `POST /api/v1/addresses/validate`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValidateAddress {
    pub currency: String,
    pub network: String,
    pub address: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
}
