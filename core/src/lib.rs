#![no_std]
#![doc = "Placeholder of the crate documentation."]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod address;
pub mod amount;
pub mod chain;
mod codec;
mod codes;
pub mod currency;
pub mod decimal;
pub mod derive;
mod digits;
pub mod network;
pub mod pair;
pub mod payment;
pub mod tag;
pub mod uri;
pub mod validate;
pub mod wire;

pub use address::{Address, AddressError, Options, Reason};
pub use amount::Amount;
pub use currency::Currency;
pub use digits::AmountError;
pub use network::Network;
pub use pair::Pair;
pub use rust_decimal::Decimal;
pub use validate::{Verdict, Warning, validate, validate_with};
