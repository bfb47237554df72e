//! A second implementation of every address form, written from the specifications independently of the core,
//! and the questions for the core and its peers.
//!
//! ```text
//! forms ── valid ones, and invalid ones with valid checksums ┐
//! mutate ── typing errors and other changes of them ─────────┼─> questions ─> core ──┐
//! vectors ── the published ones ─────────────────────────────┘            └─> peers ─┴─> agree, or a listed difference
//! ```

mod address_only;
pub mod base58;
pub mod bech32;
pub mod cardano;
pub mod cashaddr;
pub mod evm;
pub mod forms;
pub mod monero;
pub mod mutate;
mod parts;
pub mod questions;
pub mod random;
pub mod ss58;
pub mod strkey;
pub mod zcash;
