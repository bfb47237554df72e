//! The gateway's external dependencies as traits.
//!
//! "Not found" is `Ok(None)`. Reads see committed data; data to be changed is read inside a [`Tx`].

pub mod addresses;
pub mod broadcaster;
pub mod businesses;
pub mod callbacks;
pub mod chain;
pub mod clock;
pub mod credentials;
pub mod ledger;
pub mod mail;
pub mod notices;
pub mod operators;
pub mod page;
pub mod payments;
pub mod payouts;
pub mod random;
pub mod rates;
pub mod refunds;
pub mod rereading;
pub mod sales;
pub mod screening;
pub mod set_aside;
pub mod settings;
pub mod store;
pub mod system_clock;
pub mod transfers;
pub mod untagged;
pub mod valuations;
pub mod wallet_signing;
pub mod wallets;
pub mod watched_addresses;
pub mod whitelist;
pub mod withdrawal_rules;

pub use addresses::Addresses;
pub use chain::{Chain, ChainError, Changes};
pub use clock::Clock;
pub use payments::NewPayment;
pub use random::{Random, random_bytes};
pub use rates::{FeedHealth, NoRate, Rates};
pub use store::{Store, StoreError, Stored, Tx};
pub use transfers::Owner;
