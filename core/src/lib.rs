#![no_std]
#![doc = "Placeholder of the crate documentation."]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod amount;
pub mod currency;
pub mod decimal;
mod digits;
pub mod network;
pub mod pair;
pub mod payment;
pub mod wire;

pub use amount::Amount;
pub use currency::Currency;
pub use digits::AmountError;
pub use network::Network;
pub use pair::Pair;
pub use rust_decimal::Decimal;
