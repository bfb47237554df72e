//! The type of a memo.

use checkout_core::Network;
use checkout_core::wire::create_withdrawal::MemoType;
use checkout_core::wire::words::Word;
use checkout_domain::chain::kept_tag;

/// If the memo's text alone does not say it.
pub fn memo_type(network: Network, tag: Option<&str>) -> Option<Word<MemoType>> {
    let told = kept_tag::memo_type(network, tag)?;
    MemoType::known(told.code()).map(Word::Known)
}
