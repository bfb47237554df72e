//! Errors of amounts.

use checkout_core::AmountError;

/// The code and the words of an unreadable amount.
pub fn amount_fault(error: AmountError) -> (&'static str, String) {
    (error.code(), error.to_string())
}
