//! Network codes. Each network's facts are in its file in [`chain`](crate::chain).

use core::fmt;

use crate::codes::codes;
use crate::tables::networks;

mod tag_rule;

pub use tag_rule::{MemoType, TagRule};

macro_rules! network {
    ($([$feature:literal] $variant:ident = $code:literal => $file:ident::$chain:ident,)+) => {
        codes! {
            /// A network that carries deposits and withdrawals, by its code on the wire: upper case; `MAIN`, `ERC20` and similar names are no codes.
            #[non_exhaustive]
            Network("network") { $([$feature] $variant = $code),+ }
        }
    };
}

networks!(network);

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UnknownCode;

    #[test]
    fn every_network_is_found_by_its_code() {
        for network in Network::ALL {
            assert_eq!(network.code().parse(), Ok(*network));
        }
    }

    #[test]
    fn old_and_foreign_names_are_not_codes() {
        for text in ["MAIN", "ERC20", "TRC20", "BEP20", "btc", "", "EOS"] {
            assert_eq!(text.parse::<Network>(), Err(UnknownCode("network")), "{text:?}");
        }
    }
}
