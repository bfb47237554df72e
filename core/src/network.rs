//! The eight networks: one row each.

use core::fmt;
use core::str::FromStr;

mod tag_rule;

pub use tag_rule::{MemoType, TagRule, UnknownMemoType};

/// A network that carries deposits and withdrawals, by its code on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Network {
    Btc,
    Bch,
    Ltc,
    Eth,
    Bsc,
    Trx,
    Xrp,
    Xlm,
}

/// One row of [`NETWORKS`].
#[derive(Clone, Copy, Debug)]
pub struct NetworkSpec {
    pub network: Network,
    /// The code on the wire, upper case.
    pub code: &'static str,
    /// The name a payer knows.
    pub name: &'static str,
    /// The token standard that wallets and exchanges show beside the name, where there is one.
    pub token_standard: Option<&'static str>,
    /// Instant deposits: a transfer is reported at first sight. True for UTXO coins only.
    pub instant: bool,
    pub tag: TagRule,
}

/// Every network.
pub const NETWORKS: [NetworkSpec; 8] = [
    utxo(Network::Btc, "BTC", "Bitcoin"),
    utxo(Network::Bch, "BCH", "Bitcoin Cash"),
    utxo(Network::Ltc, "LTC", "Litecoin"),
    tokens(Network::Eth, "ETH", "Ethereum", "ERC-20"),
    tokens(Network::Bsc, "BSC", "BNB Smart Chain", "BEP-20"),
    tokens(Network::Trx, "TRX", "TRON", "TRC-20"),
    tagged(Network::Xrp, "XRP", "XRP Ledger", TagRule::DestinationTag),
    tagged(Network::Xlm, "XLM", "Stellar", TagRule::Memo),
];

const fn utxo(network: Network, code: &'static str, name: &'static str) -> NetworkSpec {
    NetworkSpec { network, code, name, token_standard: None, instant: true, tag: TagRule::None }
}

const fn tokens(
    network: Network,
    code: &'static str,
    name: &'static str,
    standard: &'static str,
) -> NetworkSpec {
    NetworkSpec { network, code, name, token_standard: Some(standard), instant: false, tag: TagRule::None }
}

const fn tagged(network: Network, code: &'static str, name: &'static str, tag: TagRule) -> NetworkSpec {
    NetworkSpec { network, code, name, token_standard: None, instant: false, tag }
}

impl Network {
    /// The row of this network.
    pub fn spec(self) -> &'static NetworkSpec {
        let row = NETWORKS.iter().find(|row| row.network == self);
        row.expect("every network has a row: tested below")
    }

    /// The code on the wire, such as `BSC`.
    pub fn code(self) -> &'static str {
        self.spec().code
    }
}

/// The text is not a network code of this service. Codes are upper case; `MAIN`, `ERC20` and the
/// like are not codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownNetwork;

impl fmt::Display for UnknownNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown network")
    }
}

impl core::error::Error for UnknownNetwork {}

impl FromStr for Network {
    type Err = UnknownNetwork;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        let row = NETWORKS.iter().find(|row| row.code == code);
        row.map(|row| row.network).ok_or(UnknownNetwork)
    }
}

impl serde::Serialize for Network {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_code_and_by_its_value() {
        for row in &NETWORKS {
            assert_eq!(row.code.parse(), Ok(row.network));
            assert_eq!(row.network.spec().code, row.code);
        }
    }

    #[test]
    fn old_and_foreign_names_are_not_codes() {
        for text in ["MAIN", "ERC20", "TRC20", "BEP20", "btc", "", "POLYGON"] {
            assert_eq!(text.parse::<Network>(), Err(UnknownNetwork), "{text:?}");
        }
    }
}
