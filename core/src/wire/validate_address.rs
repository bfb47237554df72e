//! `GET /api/v1/currency/{currency}/network/{network}/address/{address}/valid`, and the form with
//! `/destinationTag/{destinationTag}` before the end (public). Interface section 2.8.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressValidity {
    pub valid: bool,
    /// The currency travels on the network.
    pub supported: bool,
}
