//! The type of a memo.

use checkout_core::Network;
use checkout_domain::chain::kept_tag;
use checkout_wire::create_withdrawal::MemoType;
use checkout_wire::words::Word;

/// If the memo's text alone does not say it.
pub fn memo_type(network: Network, tag: Option<&str>) -> Option<Word<MemoType>> {
    let told = kept_tag::memo_type(network, tag)?;
    MemoType::known(told.code()).map(Word::Known)
}
