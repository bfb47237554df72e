//! Accounts and amounts of TRX. An account has 20 bytes, written as `T…` for people and with the version 0x41 in hexadecimal digits for servers.

use alloy_primitives::{Address, hex};
use checkout_core::{Amount, Network};
use sha2::{Digest as _, Sha256};

use crate::COIN_DECIMALS;

const VERSION: u8 = 0x41;

/// `T…`, the normal form.
pub fn to_text(account: Address) -> String {
    let mut bytes = bytes(account).to_vec();
    let checksum = Sha256::digest(Sha256::digest(&bytes));
    bytes.extend(&checksum[..4]);
    bs58::encode(bytes).into_string()
}

/// Reads the normal form.
pub fn read(text: &str) -> Option<Address> {
    let address = checkout_core::address::Address::parse(Network::Trx, text).ok()?;
    Address::try_from(address.payload()).ok()
}

/// As transactions hold it.
pub fn bytes(account: Address) -> [u8; 21] {
    let mut bytes = [VERSION; 21];
    bytes[1..].copy_from_slice(account.as_slice());
    bytes
}

/// As servers ask for it.
pub fn to_hex(account: Address) -> String {
    hex::encode(bytes(account))
}

/// The account of a log, which servers write with or without the version, or as for people.
pub fn read_any(text: &str) -> Option<Address> {
    read_hex(text).or_else(|| read(text))
}

fn read_hex(text: &str) -> Option<Address> {
    let bytes = hex::decode(text).ok()?;
    match bytes.as_slice() {
        [VERSION, account @ ..] if account.len() == 20 => Address::try_from(account).ok(),
        account => Address::try_from(account).ok(),
    }
}

/// Sun as a decimal of TRX.
pub fn trx(sun: u64) -> String {
    Amount::from_atoms(sun.into()).unwrap_or(Amount::MAX).to_text(COIN_DECIMALS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contract of USDT, as tronscan shows it in both forms.
    #[test]
    fn an_account_in_its_forms() {
        let (text, hex) =
            ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c");
        let account = read(text).unwrap();
        assert_eq!((to_text(account), to_hex(account)), (text.to_owned(), hex.to_owned()));
        for form in [hex, &hex[2..]] {
            assert_eq!(read_hex(form), Some(account), "{form}");
        }
        for form in [hex, text] {
            assert_eq!(read_any(form), Some(account), "{form}");
        }
        for wrong in ["", "41", "T", "42a614f803b6fd780986a42c78ec9c7f77e6ded13c"] {
            assert_eq!((read(wrong), read_hex(wrong)), (None, None), "{wrong}");
        }
    }
}
