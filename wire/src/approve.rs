//! `POST /api/v1/withdrawals/{withdrawalId}/approve` and `POST /api/v1/refunds/{refundId}/approve`: what was seen of it.

use serde::{Deserialize, Serialize};

use super::create_withdrawal::MemoType;
use super::texts::{NumberOrText, TagText};

/// What was seen and is approved. If something else stands there now, nothing is approved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Approve {
    /// Recipient, in any of its spellings. A tag can be appended: `<address>?dt=<tag>`.
    pub address: String,
    /// Destination tag (XRP) or memo (XLM) of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<TagText>,
    /// Type of the memo on XLM, as it was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<MemoType>,
    /// Amount that the recipient gets, in the cryptocurrency.
    pub amount: NumberOrText,
}
