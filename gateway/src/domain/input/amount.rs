//! Errors of amounts.

use checkout_core::AmountError;

/// Returns the code and message of an invalid amount.
pub fn amount_fault(error: AmountError) -> (&'static str, String) {
    (error.code(), error.to_string())
}
