//! The answer of [`validate`](super::validate): texts and codes, as JSON has them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Checked, Refused, Suggestion, Warning};
use crate::address::{Kind, Reason};
use crate::network::{MemoType, Network};
use crate::tag::Tag;

/// The result of [`validate`](super::validate); its JSON form is one line of `checkout validate --jsonl`, which has only what is
/// there. Its `Display` is a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", default))]
#[non_exhaustive]
pub struct Verdict {
    /// Whether money may be sent to the address.
    pub valid: bool,
    /// Whether the currency exists on the network. If false, nothing else was checked.
    pub supported: bool,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub kind: Option<Kind>,
    /// The address in its normal form, the same for all texts of one account.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub normalized: Option<String>,
    /// The tag in its normal form, including a tag embedded in the address. Of a refused text, the tag that belongs to the
    /// suggestion: take both.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub destination_tag: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub memo_type: Option<MemoType>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reason: Option<Reason>,
    /// Positions of errors in the address, in bytes from its start.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub positions: Vec<usize>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub warnings: Vec<Warning>,
    /// The correct form of the refused text: of the tag if the reason concerns the tag, otherwise of the
    /// address.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub suggestion: Option<String>,
    /// The network for which the text is valid, or which it names.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub looks_like: Option<Network>,
}

impl Verdict {
    pub(super) fn valid(checked: Checked) -> Self {
        let Checked { address, normalized, tag, warnings } = checked;
        Self {
            valid: true,
            supported: true,
            kind: Some(address.kind()),
            normalized: Some(normalized),
            warnings,
            ..Self::default()
        }
        .with_tag(tag.as_ref())
    }

    #[cold]
    pub(super) fn refused(refused: Refused) -> Self {
        let Refused { reason, kind, positions, suggestion, looks_like } = refused;
        let verdict =
            Self { supported: true, kind, reason: Some(reason), positions, looks_like, ..Self::default() };
        match suggestion.map(|suggestion| *suggestion) {
            None => verdict,
            Some(Suggestion::Tag(tag)) => Self { suggestion: Some(tag.to_string()), ..verdict },
            Some(Suggestion::Recipient { address, tag }) => {
                Self { suggestion: Some(address.to_string()), ..verdict }.with_tag(tag.as_ref())
            }
        }
    }

    fn with_tag(self, tag: Option<&Tag>) -> Self {
        Self { memo_type: tag.and_then(Tag::memo_type), destination_tag: tag.map(Tag::to_string), ..self }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.reason, self.valid) {
            (Some(reason), _) => reason.message(),
            (None, true) => "valid",
            (None, false) => "not supported",
        })
    }
}
