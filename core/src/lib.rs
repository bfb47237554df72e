//! Addresses, tags, amounts and the payment rules of Crypto Checkout.
//!
//! Pure: no I/O, no clock, no floats, no `std`. Every currency and pair is a row of a table, every network a
//! file.
//!
//! ```text
//!   "BTC", "TRX", …  ──parse──▶  Currency, Network ──pair::find──▶ Pair: decimals, precision, contract
//!                                                                    │
//!   "bc1q…", "7"     ──validate──▶ Verdict: normal form or reason    │
//!        │                                                           │
//!        ├──Address::parse──▶ Address ──Display──▶ "bc1q…"           │
//!        └──Tag::parse──────▶ Tag     ──Display──▶ "7"               │
//!                               ▲                    │               │
//!   public key ──derive─────────┘                    ▼               ▼
//!   "0.0005"   ──Amount::parse──▶ Amount ──────▶ uri::payment_uri, uri::default_qr ──▶ "bitcoin:bc1q…?amount=0.0005"
//!                                    │
//!                                    └─────────▶ payment: amount due, excess, expiry
//!
//!   wire: the JSON types, one file per endpoint
//! ```
//!
//! # I just need to check an address
//!
//! ```
//! use checkout_core::validate;
//!
//! assert!(validate("BTC", "BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", None).valid);
//! assert!(!validate("BTC", "BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", None).valid);
//! // Not a pair of this service:
//! assert!(!validate("BTC", "ETH", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", None).supported);
//! ```
//!
//! # I just need to check a withdrawal request
//!
//! The address may include its tag (`<address>?dt=<tag>`); the verdict has the normal form of both.
//!
//! ```
//! use checkout_core::{tag, validate};
//!
//! let (address, tag) = tag::split("rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=77").unwrap();
//! let verdict = validate("XRP", "XRP", address, tag.as_deref());
//! assert!(verdict.valid && verdict.warnings.is_empty());
//! assert_eq!(verdict.normalized.as_deref(), Some("rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY"));
//! assert_eq!(verdict.destination_tag.as_deref(), Some("77"));
//! ```
//!
//! An amount is parsed exactly, with the decimals of its pair. Nothing is rounded.
//!
//! ```
//! use checkout_core::{Amount, AmountError, Currency, Network, pair};
//!
//! let pair = pair::find(Currency::Usdt, Network::Trx).filter(|pair| pair.withdrawal).unwrap();
//! assert_eq!(Amount::parse("10.5", pair.decimals).unwrap().atoms(), 10_500_000);
//! assert_eq!(Amount::parse("10.0000001", pair.decimals), Err(AmountError::TooManyDecimals { allowed: 6 }));
//! ```
//!
//! # I just need to explain to my user what is wrong
//!
//! A [`Reason`] is a stable code and a sentence. Where possible, the verdict adds the positions of the typing
//! error, the correct form, or the network for which the address is valid. A private key pasted by mistake is
//! recognized as such and never repeated in a result.
//!
//! ```
//! use checkout_core::{Network, Reason, validate};
//!
//! let typo = validate("BTC", "BTC", "bc1qw508d6qejxtdg4y5r3zarvarz0c5xw7kv8f3t4", None);
//! assert_eq!(typo.reason, Some(Reason::BadChecksum));
//! assert_eq!(typo.positions, [28]);
//!
//! let old = validate("BCH", "BCH", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", None);
//! assert_eq!(old.reason.unwrap().code(), "legacy_format");
//! assert_eq!(old.suggestion.as_deref(), Some("bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"));
//!
//! let foreign = validate("USDT", "ETH", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", None);
//! assert_eq!(foreign.reason, Some(Reason::WrongNetwork));
//! assert_eq!(foreign.looks_like, Some(Network::Trx));
//! assert_eq!(foreign.reason.unwrap().message(), "this is an address of another network");
//! ```
//!
//! # I just need to keep checked addresses in my program
//!
//! An existing [`Address`] is always valid. It is small, `Copy` and needs no allocation.
//!
//! ```
//! use checkout_core::{Address, Network};
//!
//! let address = Address::parse(Network::Eth, "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed").unwrap();
//! assert_eq!(address.to_string(), "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
//! ```
//!
//! # I just need addresses of a test network
//!
//! ```
//! use checkout_core::{Options, validate_with};
//!
//! let options = Options { allow_test_networks: true, ..Options::STRICT };
//! assert!(validate_with("BTC", "BTC", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", None, &options).valid);
//! ```
//!
//! # I just need to read and write amounts
//!
//! Amounts are exact; nothing is rounded.
//!
//! ```
//! use checkout_core::{Amount, Currency, Network, pair};
//!
//! let pair = pair::find(Currency::Usdt, Network::Trx).unwrap();
//! let amount = Amount::parse("10.5", pair.decimals).unwrap();
//! assert_eq!(amount.atoms(), 10_500_000);
//! assert_eq!(amount.to_text(pair.decimals), "10.5");
//! assert!(Amount::parse("10.0000001", pair.decimals).is_err());
//! ```
//!
//! # I just need a QR code
//!
//! ```
//! use checkout_core::{Amount, Currency, Network, pair, tag::Tag, uri};
//!
//! let pair = pair::find(Currency::Xrp, Network::Xrp).unwrap();
//! let amount = Amount::parse("25.5", pair.decimals).unwrap();
//! let tag = Tag::parse(pair.network, "7", None).unwrap();
//! let text = uri::default_qr(pair, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", tag.as_ref(), amount);
//! assert_eq!(text, "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=7&amount=25.5");
//! assert_eq!(uri::read(pair, &text).unwrap().amount, Some(amount));
//! ```
//!
//! # I just need to use it without `std`
//!
//! The crate needs only `alloc`, for returned texts: `cargo build --target thumbv7em-none-eabi` works.
//! Parsing, comparing and storing an address takes less than 100 bytes and no allocation; `Display` writes to
//! any `fmt::Write`.
//!
//! ```
//! use core::fmt::Write;
//!
//! use checkout_core::{Address, Network};
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
//! # const { assert!(size_of::<Address>() <= 96) };
//! ```
//!
//! # I want to add a network
//!
//! A file in `src/chain/` with its [`ChainSpec`](chain::ChainSpec), its row in `src/tables.rs`, and
//! `tests/vectors/addresses/<code>.jsonl`: `CONTRIBUTING.md` of the repository has the steps.
//!
//! # Which forms are accepted, and why
//!
//! `docs/validation.md` in the repository lists every form with its source, every reason, warning and option
//! with an example, the speed compared with other crates, and where other libraries differ.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod address;
pub mod chain;
mod codes;
pub mod currency;
pub mod derive;
mod encoding;
mod languages;
pub mod money;
pub mod network;
pub mod pair;
pub mod payment;
mod tables;
pub mod tag;
pub mod uri;
pub mod validate;
pub mod wire;

pub use address::{Address, AddressError, Options, Reason};
pub use currency::Currency;
pub use money::{Amount, AmountError, amount, decimal};
pub use network::Network;
pub use pair::Pair;
pub use rust_decimal::Decimal;
pub use tag::{Tag, TagError};
pub use validate::{Verdict, Warning, validate, validate_with};
