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

/// How much the wallets held beyond the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub at: u64,
    pub beyond: Money,
}

/// What the wallets lacked at two readings in a row. More than the books say is no fault: fees cost less than what is charged for them, and
/// coins arrive that no payment has. Up to `least` is what transactions cost that moved nothing.
///
/// What was taken out counts at once. What was put in counts from the readings after its record, which can have it.
pub fn missing(records: &[&WalletRecord], readings: [Reading; 2], least: Money) -> Option<Money> {
    let lacks = readings.map(|Reading { at, beyond }| {
        let counts = |record: &&&WalletRecord| record.money.units < 0 || record.at < at;
        let recorded = records.iter().filter(counts);
        recorded.fold(Money::zero(beyond.asset), |sum, record| sum.plus(record.money)).less(beyond).units
    });
    let units = lacks[0].min(lacks[1]);
    (units > least.units).then_some(Money { units, ..least })
}

#[cfg(test)]
mod tests {
    use checkout_core::Currency;

    use super::*;
    use crate::rates::asset::Asset;

    /// Rows: records with their times, the readings of the times 10 and 20, what is missing of them. A fee is 10.
    #[test]
    fn what_is_missing_twice_is_said() {
        let xrp = |units| Money { asset: Asset::Crypto(Currency::Xrp), units };
        let check = |records: &[(i128, u64)], readings: [i128; 2], expected: Option<i128>| {
            let record = |(units, at): &(i128, u64)| WalletRecord {
                id: Uuid::nil(),
                money: xrp(*units),
                by: "Ada".to_owned(),
                why: "for fees".to_owned(),
                at: *at,
            };
            let records: Vec<WalletRecord> = records.iter().map(record).collect();
            let [first, second] = readings.map(xrp);
            let readings = [Reading { at: 10, beyond: first }, Reading { at: 20, beyond: second }];
            let found = missing(&records.iter().collect::<Vec<_>>(), readings, xrp(10));
            assert_eq!(found, expected.map(xrp), "{records:?} {readings:?}");
        };
        check(&[], [0, 0], None);
        check(&[], [-10, -10], None);
        check(&[], [-11, -11], Some(11));
        check(&[], [-500, -20], Some(20));
        check(&[], [-20, -500], Some(20));
        check(&[], [0, -500], None);
        check(&[], [-500, 0], None);
        check(&[], [500, 500], None);
        check(&[(700, 5)], [500, 600], Some(100));
        check(&[(700, 5)], [500, 700], None);
        check(&[(700, 15)], [0, 0], None);
        check(&[(700, 25)], [0, 0], None);
        check(&[(-700, 25)], [-700, -700], None);
        check(&[(-700, 25)], [-711, -720], Some(11));
        check(&[(700, 5), (-200, 25)], [500, 500], None);
    }
}
