//! The tag or memo that a network needs in addition to the address.

use crate::codes::codes;

/// The tag that a network needs beside the address to credit the right customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagRule {
    /// The network has no tags.
    None,
    /// XRP Ledger: a `u32` destination tag.
    DestinationTag,
    /// Stellar: a memo (text, id or hash).
    Memo,
    /// Cosmos, TON: a memo or comment of any text.
    TextMemo,
}

codes! {
    /// The type of a Stellar memo.
    #[non_exhaustive]
    MemoType("memo type") {
        Text = "text",
        Id = "id",
        Hash = "hash",
    }
}
