//! What a caller may ask for beside the strict rules, as bits.

use checkout_core::Options;
use checkout_core::tag::MemoType;

/// Addresses of test networks pass.
const TEST_NETWORKS: u32 = 1;
/// Two bits: 0 for no memo type, else one more than its place in [`MemoType::ALL`].
const MEMO_TYPE: u32 = 1;
/// A tag was given that is not a text, so that it cannot be read at all.
const UNREADABLE_TAG: u32 = 8;
/// A memo type was given that there is not.
const UNKNOWN_MEMO_TYPE: u32 = 16;

pub(crate) fn options(bits: u32) -> Options {
    let mut options = Options::STRICT;
    options.allow_test_networks = bits & TEST_NETWORKS != 0;
    let place = (bits >> MEMO_TYPE & 3) as usize;
    options.memo_type = place.checked_sub(1).and_then(|at| MemoType::ALL.get(at)).copied();
    options
}

/// The bits of what a caller says in words.
pub fn bits_of(memo_type: Option<&str>, allow_test_networks: bool) -> u32 {
    let memo_type = memo_type.map_or(0, |word| {
        let place = (1..).zip(MemoType::ALL).find(|(_, memo_type)| memo_type.code() == word);
        place.map_or(UNKNOWN_MEMO_TYPE, |(place, _)| place << MEMO_TYPE)
    });
    memo_type | if allow_test_networks { TEST_NETWORKS } else { 0 }
}

pub(crate) fn unreadable_tag(bits: u32) -> bool {
    bits & UNREADABLE_TAG != 0
}

pub(crate) fn unknown_memo_type(bits: u32) -> bool {
    bits & UNKNOWN_MEMO_TYPE != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_bits_and_bits_become_options() {
        assert_eq!(options(bits_of(None, false)), Options::STRICT);
        assert!(options(bits_of(None, true)).allow_test_networks);
        for memo_type in MemoType::ALL {
            let bits = bits_of(Some(memo_type.code()), false);
            assert_eq!(options(bits).memo_type, Some(*memo_type));
            assert!(!unreadable_tag(bits) && !unknown_memo_type(bits), "two bits hold every memo type");
        }
        assert!(unknown_memo_type(bits_of(Some("return"), false)));
    }
}
