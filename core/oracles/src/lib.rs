//! A second implementation of every address form, written from the specifications independently of the core,
//! and the questions for the core and its peers.
//!
//! ```text
//! forms ── right ones, and wrong ones with a right checksum ─┐
//! mutate ── what typing, copying and guessing make of them ──┼─> questions ─> core ──┐
//! vectors ── the published ones ─────────────────────────────┘            └─> peers ─┴─> agree, or a listed difference
//! ```

pub mod base58;
pub mod bech32;
pub mod cashaddr;
pub mod evm;
pub mod forms;
pub mod mutate;
pub mod questions;
pub mod random;
pub mod strkey;
