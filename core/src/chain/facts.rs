//! Facts of a network besides its addresses.

use alloc::string::String;
use core::fmt;

/// The account level of the derivation path that wallets use for a network: `m / purpose' / coin type' / account'`.
///
/// The purpose determines the address form ([BIP-44], [BIP-84]); the coin type comes from [SLIP-44].
///
/// [BIP-44]: https://github.com/bitcoin/bips/blob/master/bip-0044.mediawiki
/// [BIP-84]: https://github.com/bitcoin/bips/blob/master/bip-0084.mediawiki
/// [SLIP-44]: https://github.com/satoshilabs/slips/blob/master/slip-0044.md
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPath {
    pub purpose: u32,
    pub coin_type: u32,
    pub account: u32,
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m/{}'/{}'/{}'", self.purpose, self.coin_type, self.account)
    }
}

/// A coin that pays for transactions and is no supported currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GasCoin {
    pub code: &'static str,
    /// EUR per coin in the sandbox.
    pub sandbox_eur: &'static str,
    /// The range of credible rates, in thousandths of a euro.
    pub sane_millieur: (u64, u64),
    /// The id at CoinGecko.
    pub coingecko: &'static str,
    /// Kraken's market in EUR, if there is one.
    pub kraken: Option<&'static str>,
}

/// The number of blocks after which a transaction is final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finality {
    /// Includes the transaction's own block.
    pub blocks: u32,
    pub reason: &'static str,
}

/// What a transfer costs its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fees {
    Low,
    /// It can cost much: while many send, or without what the sender staked.
    Varying,
}

/// How a network formats the 32 bytes of a transaction id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionIdForm {
    /// 64 lower-case hexadecimal digits.
    Lower,
    /// 64 upper-case hexadecimal digits.
    Upper,
    /// `0x` and 64 lower-case hexadecimal digits.
    Prefixed,
}

impl TransactionIdForm {
    /// `digits` are lower-case hexadecimal.
    pub fn write(self, digits: &str) -> String {
        match self {
            Self::Lower => String::from(digits),
            Self::Upper => digits.to_ascii_uppercase(),
            Self::Prefixed => ["0x", digits].concat(),
        }
    }
}

/// A public block explorer: the URL before a transaction id or an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explorer {
    pub transactions: &'static str,
    pub addresses: &'static str,
}

impl Explorer {
    /// The page of a transaction.
    pub fn transaction(&self, id: &str) -> String {
        [self.transactions, id].concat()
    }

    /// The page of an address.
    pub fn address(&self, address: &str) -> String {
        [self.addresses, address].concat()
    }
}
