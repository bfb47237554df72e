//! The one question of a back end: may money be sent to this address, with this tag?

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};

use crate::address::{Kind, Options, Reason};
use crate::codes::codes;
use crate::network::Network;
use crate::tag::MemoType;

codes! {
    /// What is right but worth a second look.
    Warning {
        /// An EVM address in one letter case: a typing error would go unseen.
        NoChecksum = "no_checksum",
        /// A witness version that no rule of today covers.
        FutureWitnessVersion = "future_witness_version",
        /// The network has no tags; the one given has no effect.
        TagIgnored = "tag_ignored",
    }
}

/// The answer of [`validate`]; its JSON form is one line of `checkout validate --jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Verdict {
    /// Money may be sent there.
    pub valid: bool,
    /// The currency travels on that network. When false, nothing else was looked at.
    pub supported: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The address in its normal form: of all texts of one account the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalized: Option<String>,
    /// The tag in its normal form, also when it came inside the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<MemoType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Where the address is wrong: bytes from its start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The right form of what was refused: of the tag when the reason is one of the tag, else of the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The network for which the text would be right.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "network_code")]
    pub looks_like: Option<Network>,
}

fn network_code<S: Serializer>(network: &Option<Network>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(network.map_or("", Network::code))
}

/// Checks an address and its tag by the strict rules. An unsupported pair is neither valid nor supported.
pub fn validate(currency: &str, network: &str, address: &str, tag: Option<&str>) -> Verdict {
    validate_with(currency, network, address, tag, &Options::STRICT)
}

/// Checks an address and its tag with some rules relaxed.
pub fn validate_with(
    _currency: &str,
    _network: &str,
    _address: &str,
    _tag: Option<&str>,
    _options: &Options,
) -> Verdict {
    Verdict::default()
}
