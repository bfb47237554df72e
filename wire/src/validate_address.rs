//! `GET /api/v1/currency/{currency}/network/{network}/address/{address}/valid`, and the form with
//! `/destinationTag/{destinationTag}` before the end (public). Interface section 2.8.

use serde::{Deserialize, Serialize};

use super::texts::TagText;

/// Whether an address is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddressValidity {
    /// Whether the currency can be sent to this address.
    pub valid: bool,
    /// Whether the currency exists on the network.
    pub supported: bool,
}

/// The address to validate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValidateAddress {
    /// Code of the cryptocurrency.
    pub currency: String,
    /// Code of the network.
    pub network: String,
    /// Address on the network.
    pub address: String,
    /// Destination tag (XRP) or memo (XLM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<TagText>,
}
