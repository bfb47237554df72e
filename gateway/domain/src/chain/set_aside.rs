//! Entries of a chain that could not be read. They are set aside, so that everything else is credited.

use checkout_core::Network;

use crate::ids::PaymentId;

/// One of them. It is known by network, transaction and part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    pub network: Network,
    /// In the form of the network.
    pub transaction: String,
    /// Which part of it could not be read, such as `log 7`. Empty for the whole.
    pub part: String,
    /// Of its block.
    pub height: u64,
    /// The hash of its block; empty on networks whose blocks are not named.
    pub block: String,
    /// A sentence without a final full stop.
    pub why: String,
}

/// Coins that arrived for a payment and that this gateway does not credit: the merchant has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncreditedCoins {
    pub payment: PaymentId,
    /// The code of a coin, or the contract of a token.
    pub asset: String,
    pub amount: String,
    pub to: String,
}

/// An entry with what has become of it since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAsideRecord {
    pub entry: SetAside,
    /// `None` for one that could not be read.
    pub coins: Option<UncreditedCoins>,
    pub seen_at: u64,
    /// How often it was read again without success.
    pub tries: u32,
}

/// About a day, at the pauses below.
const TRIES: u32 = 35;

/// Seconds after which an entry that failed so often is read again. `None`: only an operator asks for it.
pub fn pause(tries: u32) -> Option<u64> {
    (tries < TRIES).then(|| (2 << tries.min(11)).min(3_600))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour_and_end_after_a_day() {
        let check = |tries, expected| assert_eq!(pause(tries), expected, "{tries}");
        check(0, Some(2));
        check(1, Some(4));
        check(10, Some(2_048));
        check(11, Some(3_600));
        check(34, Some(3_600));
        check(35, None);
        check(u32::MAX, None);
    }
}
