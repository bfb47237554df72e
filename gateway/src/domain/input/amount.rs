//! Errors of amounts.

use checkout_core::AmountError;

/// The code and the message for an invalid amount.
pub fn amount_fault(error: AmountError) -> (&'static str, String) {
    (error.code(), error.to_string())
}
