//! Accounts of Sui and Aptos: `0x` and 64 hexadecimal digits of either case, without a checksum.
//!
//! A private key may be written the same way. Without `0x` it is taken for one.

use core::fmt;

use super::name::unless_name;
use crate::address::{Address, AddressError, Kind, Reason};
use crate::encoding::hex;
use crate::network::Network;

const DIGITS: usize = 64;

/// The accounts `0x1` to `0xf` of the system, which have no keys.
pub(super) const OF_SYSTEM: &[&[u8]] = &[
    &low(1), &low(2), &low(3), &low(4), &low(5), &low(6), &low(7), &low(8), &low(9), &low(10), &low(11), &low(12), &low(13), &low(14), &low(15),
];

const fn low(number: u8) -> [u8; 32] {
    let mut account = [0; 32];
    account[31] = number;
    account
}

pub(super) fn parse(network: Network, text: &str) -> Result<Address, AddressError> {
    read(network, text).map_err(|error| unless_name(error, text))
}

/// Short forms are those of [AIP-40]: one digit for an account of the system. Any other text of less than 64 digits lacks either zeros
/// or a digit that was lost, so that nothing is suggested.
///
/// [AIP-40]: https://github.com/aptos-foundation/AIPs/blob/main/aips/aip-40.md
fn read(network: Network, text: &str) -> Result<Address, AddressError> {
    match text.as_bytes() {
        [b'0', b'x', digit] if digit.is_ascii_hexdigit() => {
            let number = char::from(*digit).to_digit(16).and_then(|number| u8::try_from(number).ok());
            account(network, &low(number.unwrap_or(0)))
        }
        [b'0', b'x', digits @ ..] if digits.len() == DIGITS => {
            let wrong = digits.iter().position(|digit| !digit.is_ascii_hexdigit());
            match hex::decode_array::<32>(digits) {
                Some(bytes) => account(network, &bytes),
                None => Err(AddressError::at(Reason::BadCharacter, 2 + wrong.unwrap_or(0))),
            }
        }
        [b'0', b'x', digits @ ..] if digits.iter().all(u8::is_ascii_hexdigit) => Err(Reason::BadLength.into()),
        [b'0', b'X', digits @ ..] => match hex::decode_array::<32>(digits) {
            Some(bytes) => Err(AddressError::suggesting(Reason::BadPrefix, account(network, &bytes)?)),
            None => Err(Reason::Unrecognized.into()),
        },
        _ => Err(Reason::Unrecognized.into()),
    }
}

fn account(network: Network, bytes: &[u8; 32]) -> Result<Address, AddressError> {
    Ok(Address::of_bytes(network, Kind::Account, bytes)?)
}

pub(super) fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("0x")?;
    hex::write(address.payload(), f)
}
