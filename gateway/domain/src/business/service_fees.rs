//! The merchant's service fees.

use checkout_core::{Decimal, decimal};

/// Shares of the amount, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceFees {
    /// Deducted from settled deposits.
    pub deposit: Decimal,
    /// Charged in addition to withdrawals.
    pub withdrawal: Decimal,
}

impl Default for ServiceFees {
    /// 0.5 % of deposits, 0.1 % of withdrawals.
    fn default() -> Self {
        let share = |text| decimal::parse(text, 4).expect("a decimal of four places");
        Self { deposit: share("0.005"), withdrawal: share("0.001") }
    }
}
