//! Exact amounts: atomic units on chain, decimals for fiat and rates, and the two roundings between them.

pub mod amount;
pub mod decimal;
mod digits;
mod wide;

pub use amount::Amount;
pub use digits::AmountError;
pub use wide::{Round, mul_div};
