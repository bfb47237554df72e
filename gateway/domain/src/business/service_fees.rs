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

impl ServiceFees {
    /// Nothing.
    pub const NONE: Self = Self { deposit: Decimal::ZERO, withdrawal: Decimal::ZERO };

    /// Those of the sandbox: 0.5 % of deposits, 0.1 % of withdrawals.
    pub fn sandbox() -> Self {
        let share = |text| decimal::parse(text, 4).expect("a decimal of four places");
        Self { deposit: share("0.005"), withdrawal: share("0.001") }
    }
}
