//! Addresses, tags, amounts and the payment rules of Crypto Checkout.
#![doc = include_str!("../README.md")]
//!
//! # The way of a check
//!
//! ```text
//!   "BTC", "TRX", …  ──parse──▶  Currency, Network ──Pair::find──▶ Pair: decimals, precision, contract
//!                                                                    │
//!   "bc1q…", "7"     ──validate──▶ Verdict: normal form or reason    │
//!        │                                                           │
//!        ├──Address::parse──▶ Address ──Display──▶ "bc1q…"           │
//!        └──Tag::parse──────▶ Tag     ──Display──▶ "7"               │
//!                               ▲                    │               │
//!   public key ──derive─────────┘                    ▼               ▼
//!   "0.0005"   ──Amount::parse──▶ Amount ──────▶ uri::payment_uri, uri::default_qr ──▶ "bitcoin:bc1q…?amount=0.0005"
//! ```
//!
//! # Without `std`
//!
//! The crate needs only `alloc`, for returned texts: `cargo build --target thumbv7em-none-eabi` works.
//! Parsing, comparing and storing an address takes less than 100 bytes and no allocation; `Display` writes to
//! any `fmt::Write`. With the feature `zcash` an address has 120 bytes: a unified one has three receivers.
//!
//! ```
//! use core::fmt::Write;
//!
//! use crypto_checkout_core::{Address, Network};
//!
//! fn show(text: &str, display: &mut impl Write) -> core::fmt::Result {
//!     match Address::parse(Network::Btc, text) {
//!         Ok(address) => write!(display, "{address}"),
//!         Err(error) => display.write_str(error.reason().message()),
//!     }
//! }
//! # struct Display(usize);
//! # impl Write for Display {
//! #     fn write_str(&mut self, text: &str) -> core::fmt::Result {
//! #         self.0 += text.len();
//! #         Ok(())
//! #     }
//! # }
//! # let mut display = Display(0);
//! # show("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", &mut display).unwrap();
//! # assert_eq!(display.0, 42);
//! # const { assert!(size_of::<Address>() <= if cfg!(feature = "zcash") { 120 } else { 96 }) };
//! ```
//!
//! # Add a network
//!
//! A file in `src/chain/` with its `ChainSpec`, its row in `src/tables.rs`, and
//! `tests/vectors/addresses/<code>.jsonl`: `CONTRIBUTING.md` of the repository has the steps.
//!
//! # Which forms are accepted, and why
//!
//! `docs/validation.md` in the repository lists every form with its source, every reason, warning and option
//! with an example, the speed compared with other crates, and where other libraries differ.

#![no_std]
#![cfg_attr(
    not(all(feature = "all", feature = "gateway")),
    allow(dead_code, unreachable_pub, unused_imports)
)]

#[cfg(not(any(
    feature = "aptos",
    feature = "avalanche",
    feature = "bitcoin",
    feature = "bitcoin-cash",
    feature = "cardano",
    feature = "cosmos",
    feature = "evm",
    feature = "monero",
    feature = "optimism",
    feature = "polkadot",
    feature = "solana",
    feature = "stellar",
    feature = "sui",
    feature = "ton",
    feature = "tron",
    feature = "xrp",
    feature = "zcash"
)))]
compile_error!("name a family of networks among the features of crypto-checkout-core, or `all`");

extern crate alloc;
#[cfg(test)]
extern crate std;

/// Modules of which others see only what is exported below; all of them with the feature `gateway`.
macro_rules! modules {
    ($($name:ident)+) => {$(
        #[cfg(feature = "gateway")]
        pub mod $name;
        #[cfg(not(feature = "gateway"))]
        mod $name;
    )+};
}

modules!(address browser_wallet chain currency money network pair validate);

mod codes;
pub mod derive;
mod encoding;
mod tables;
pub mod tag;
mod text_form;
pub mod transaction_id;
pub mod uri;

pub use address::{Address, AddressError, Kind, Options, Reason, TestNetwork};
pub use codes::UnknownCode;
pub use currency::Currency;
pub use money::{Amount, AmountError, decimal};
pub use network::{MemoType, Network, TagRule};
pub use pair::{Pair, PairLimits, Table};
pub use rust_decimal::Decimal;
pub use tag::{Tag, TagError};
pub use validate::{
    Checked, Refused, Suggestion, Verdict, Warning, check, check_with, validate, validate_with,
};
