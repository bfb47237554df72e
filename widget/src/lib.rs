//! The checkout widget: what a payer sees, from the choice of a currency to the receipt.
//!
//! ```text
//!            ┌────────────── shell (browser) ──────────────┐
//!  browser ──► Event ──► step(State, Event) ──► Effects ──► browser
//!                              │
//!                            State ──► present ──► ViewModel ──► view ──► Node ──► Leptos
//! ```
//!
//! Everything but the shell is pure, knows no browser, and is tested natively.

pub mod clock;
pub mod decode;
pub mod effect;
pub mod event;
pub mod host;
pub mod line;
pub mod place;
pub mod present;
pub mod qr;
pub mod quote;
pub mod state;
pub mod step;
pub mod view;
pub mod words;

#[cfg(target_arch = "wasm32")]
mod shell;

pub use present::present;
pub use step::step;
