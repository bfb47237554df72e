//! [ICAP]: an Ethereum account as an IBAN of country `XE`. Parsed only for suggestions.
//!
//! [ICAP]: https://github.com/ethereum/EIPs/wiki/ICAP:-Inter-exchange-Client-Address-Protocol

use crate::address::{AddressError, Reason};

/// The part after `XE`: two check digits and an account in base 36.
pub(super) fn decode(rest: &[u8]) -> Result<[u8; 20], AddressError> {
    let (check, account) = rest.split_at_checked(2).ok_or(Reason::BadLength)?;
    if !matches!(account.len(), 30 | 31) {
        return Err(Reason::BadLength.into());
    }
    for (at, byte) in rest.iter().enumerate() {
        if !byte.is_ascii_alphanumeric() || (at < 2 && !byte.is_ascii_digit()) {
            return Err(AddressError::at(Reason::BadCharacter, 2 + at));
        }
    }
    // ISO 13616: country and check digits move to the end; the number modulo 97 must be 1.
    let moved = account.iter().chain(b"XE").chain(check);
    let remainder = moved.fold(0, |remainder, byte| {
        let value = digit(*byte);
        (remainder * if value < 10 { 10 } else { 100 } + value) % 97
    });
    if remainder != 1 {
        return Err(Reason::BadChecksum.into());
    }
    let mut bytes = [0_u8; 20];
    for byte in account {
        let mut carry = digit(*byte);
        for place in bytes.iter_mut().rev() {
            let value = u32::from(*place) * 36 + carry;
            *place = (value & 0xff) as u8;
            carry = value >> 8;
        }
        if carry != 0 {
            return Err(Reason::BadLength.into());
        }
    }
    Ok(bytes)
}

/// The value of a base-36 digit; 0 for other bytes.
fn digit(byte: u8) -> u32 {
    char::from(byte).to_digit(36).unwrap_or(0)
}
