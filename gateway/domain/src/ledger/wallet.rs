//! What the wallets hold beside what the books say that they hold.

use uuid::Uuid;

use super::money::Money;

/// Coins that an operator put into a wallet or took out of it: no payment and no payout explains them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletRecord {
    pub id: Uuid,
    /// Negative if they were taken out.
    pub money: Money,
    pub by: String,
    pub why: String,
    pub at: u64,
}

/// What the wallets lacked at two readings in a row. `recorded`: what they held beyond the books, as far as it is recorded; `beyond`: what
/// they held beyond them at each reading. More than that is no fault: fees cost less than what is charged for them, and what has no payment
/// arrives, too. Up to `least` is what transactions cost that moved nothing.
pub fn missing(recorded: Money, beyond: [Money; 2], least: Money) -> Option<Money> {
    let lacks = beyond.map(|beyond| recorded.less(beyond).units);
    let units = lacks[0].min(lacks[1]);
    (units > least.units).then_some(Money { units, ..recorded })
}

#[cfg(test)]
mod tests {
    use checkout_core::Currency;

    use super::*;
    use crate::rates::asset::Asset;

    /// Rows: recorded, two readings, what is missing of them. A fee is 10.
    #[test]
    fn what_is_missing_twice_is_said() {
        let xrp = |units| Money { asset: Asset::Crypto(Currency::Xrp), units };
        for (recorded, first, second, expected) in [
            (0, 0, 0, None),
            (0, -10, -10, None),
            (0, -11, -11, Some(11)),
            (0, -500, -20, Some(20)),
            (0, -20, -500, Some(20)),
            (0, 0, -500, None),
            (0, -500, 0, None),
            (0, 500, 500, None),
            (700, 500, 600, Some(100)),
            (700, 500, 700, None),
            (-700, -700, -700, None),
            (-700, -711, -720, Some(11)),
        ] {
            let found = missing(xrp(recorded), [xrp(first), xrp(second)], xrp(10));
            assert_eq!(found, expected.map(xrp), "{recorded} {first} {second}");
        }
    }
}
