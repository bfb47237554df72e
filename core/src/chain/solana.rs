//! Solana: the 32 bytes of an account in base58, without a checksum
//! ([accounts](https://solana.com/docs/core/accounts)). Only addresses are checked.
//!
//! A typing error gives another account most of the time, so that each address has the warning `no_checksum`. Accounts of programs
//! are no points of the curve; whether coins sent to one can be moved again depends on its program, and the text does not show it.

use alloc::string::{String, ToString};
use core::fmt;

use super::name::unless_name;
use super::pairs::{NO_LIMITS, coin, token};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec, Checksum};
use crate::address::{Address, AddressError, Kind, Reason};
use crate::currency::Currency;
use crate::encoding::base58;
use crate::network::Network;

pub(super) enum Solana {}

impl Chain for Solana {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Sol,
        name: "Solana",
        token_standard: Some("SPL"),
        pairs: &[
            coin(Currency::Sol, Network::Sol, 9, NO_LIMITS).address_only(),
            // <https://developers.circle.com/stablecoins/usdc-contract-addresses>
            token(Currency::Usdc, Network::Sol, 6, 6, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", NO_LIMITS)
                .address_only(),
            // <https://tether.to/en/supported-protocols/>
            token(Currency::Usdt, Network::Sol, 6, 6, "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", NO_LIMITS)
                .address_only(),
        ],
        example: "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g", // solana.com/docs/core/accounts
        checksum: Checksum::Never,
        burned: &[INCINERATOR],
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        parse(text).map_err(|error| unless_name(error, text))
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        base58::write(address.payload(), &base58::BITCOIN, f)
    }

    fn normal_form(_: &Address, text: &str) -> String {
        text.to_string()
    }
}

fn parse(text: &str) -> Result<Address, AddressError> {
    // 32 bytes have 32 to 44 digits.
    if !(32..=44).contains(&text.len()) {
        return Err(Reason::Unrecognized.into());
    }
    let mut buffer = base58::Buffer::new();
    let account = base58::decode(text.as_bytes(), &base58::BITCOIN, &mut buffer)?;
    if account.len() != 32 {
        return Err(Reason::BadLength.into());
    }
    Ok(Address::of_bytes(Network::Sol, Kind::Account, account)?)
}

/// `1nc1nerator11111111111111111111111111111111`: its coins are burned at the end of each block
/// ([source](https://github.com/anza-xyz/agave/blob/master/runtime/src/bank/fee_distribution.rs)).
const INCINERATOR: &[u8] = &[
    0x00, 0x33, 0x90, 0x72, 0x8d, 0x34, 0x11, 0x60, 0x79, 0xbd, 0xc9, 0x11, 0xbf, 0xff, 0x00, 0xdb, 0xd4, 0x4d, 0x2e, 0xcd, 0xcc, 0xf7, 0x9c, 0xa6, 0xe1, 0x00, 0x38, 0xe1, 0x00, 0x00, 0x00, 0x00,
];
