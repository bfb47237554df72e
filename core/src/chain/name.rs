//! Names that must be resolved on their network: ENS, Space ID, SNS, TON DNS, SuiNS, Aptos Names.

use crate::address::{AddressError, Reason};

/// Why `text` is refused: `error`, unless it is a name.
pub(super) fn unless_name(error: AddressError, text: &str) -> AddressError {
    if is_name(text.as_bytes()) { Reason::NeedsResolution.into() } else { error }
}

/// `vitalik.eth`: labels separated by dots, the last one of letters.
pub(super) fn is_name(bytes: &[u8]) -> bool {
    let mut labels = bytes.split(|byte| *byte == b'.');
    let last = labels.next_back().unwrap_or_default();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || !byte.is_ascii();
    let mut count = 0;
    last.len() >= 2
        && last.iter().all(u8::is_ascii_alphabetic)
        && labels.all(|label| {
            count += 1;
            !label.is_empty() && label.iter().all(plain)
        })
        && count > 0
}
