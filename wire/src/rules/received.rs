//! Amounts received, due and in excess.

use checkout_core::Amount;

/// The sum of a payment's deposits, in atoms of the expected currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Deposits in the best chain with enough confirmations.
    pub confirmed: Amount,
    /// Deposits that were seen and can still vanish.
    pub unconfirmed: Amount,
}

impl Received {
    pub(super) fn is_nothing(self) -> bool {
        self.confirmed.is_zero() && self.unconfirmed.is_zero()
    }

    pub fn total(self) -> Amount {
        self.confirmed.checked_add(self.unconfirmed).unwrap_or(Amount::MAX)
    }
}

/// The amount due: `expected` minus all deposits, confirmed or not.
pub fn remaining(expected: Amount, received: Received) -> Amount {
    expected.saturating_sub(received.total())
}

/// The excess over `expected`, counting confirmed deposits only.
pub fn excess(expected: Amount, received: Received) -> Amount {
    received.confirmed.saturating_sub(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(atoms: u128) -> Amount {
        Amount::from_atoms(atoms).unwrap()
    }

    #[test]
    fn the_amount_due_and_the_excess() {
        let received = |c, u| Received { confirmed: amount(c), unconfirmed: amount(u) };
        assert_eq!(remaining(amount(100), received(30, 20)), amount(50));
        assert_eq!(remaining(amount(100), received(100, 20)), Amount::ZERO);
        assert_eq!(excess(amount(100), received(130, 20)), amount(30));
        assert_eq!(excess(amount(100), received(30, 90)), Amount::ZERO);
    }
}
