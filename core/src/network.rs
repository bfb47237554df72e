//! Network codes. Each network's facts are in its file in [`chain`](crate::chain).

use core::fmt;
use core::str::FromStr;

use crate::codes::codes;
use crate::tables::networks;

mod tag_rule;

pub use tag_rule::{MemoType, TagRule, UnknownMemoType};

macro_rules! network {
    ($([$feature:literal] $variant:ident = $code:literal => $file:ident::$chain:ident,)+) => {
        codes! {
            /// A network that carries deposits and withdrawals, by its code on the wire: upper case.
            #[non_exhaustive]
            Network { $([$feature] $variant = $code),+ }
        }
    };
}

networks!(network);

/// The text is not a supported network code. Codes are upper case; `MAIN`, `ERC20` and similar names are not
/// codes.
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
        Self::ALL.iter().find(|network| network.code() == code).copied().ok_or(UnknownNetwork)
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
    fn every_network_is_found_by_its_code() {
        for network in Network::ALL {
            assert_eq!(network.code().parse(), Ok(*network));
        }
    }

    #[test]
    fn old_and_foreign_names_are_not_codes() {
        for text in ["MAIN", "ERC20", "TRC20", "BEP20", "btc", "", "EOS"] {
            assert_eq!(text.parse::<Network>(), Err(UnknownNetwork), "{text:?}");
        }
    }
}
