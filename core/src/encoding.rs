//! Encodings: text to bytes and back, independent of networks.
//!
//! Every address decoder checks the length before the characters, and none of them allocates.

#[cfg(feature = "stellar")]
pub(crate) mod base32;
pub(crate) mod base58;
#[cfg(feature = "monero")]
pub(crate) mod base58_blocks;
pub(crate) mod base64;
mod bch_errors;
mod bch_register;
#[cfg(any(feature = "bitcoin", feature = "cardano", feature = "cosmos", feature = "zcash"))]
pub(crate) mod bech32;
#[cfg(feature = "bitcoin-cash")]
pub(crate) mod cashaddr;
mod charset;
#[cfg(any(feature = "stellar", feature = "ton"))]
pub(crate) mod crc16;
mod error;
pub(crate) mod hash;
pub(crate) mod hex;
pub(crate) mod percent;
pub(crate) mod query;

pub(crate) use error::{DecodeError, ErrorKind};
