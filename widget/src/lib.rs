//! The checkout widget: the payer's page, from the choice of a currency to the receipt.
//!
//! ```text
//!            ┌────────────── shell (browser) ──────────────┐
//!  browser ──► Event ──► step(Page, Event) ──► Effects ──► browser
//!                             │
//!                           Page ──► present ──► ViewModel ──► Checkout (Leptos)
//! ```
//!
//! `step` and `present` are pure, independent of browsers, and tested natively. The components only render.
//! With the feature `ssr` they render HTML natively.

#[cfg(any(target_arch = "wasm32", feature = "ssr"))]
pub mod checkout;
#[cfg(feature = "ssr")]
pub mod claim;
pub mod clock;
#[cfg(any(target_arch = "wasm32", feature = "ssr"))]
mod components;
pub mod connection;
pub mod effect;
pub mod event;
pub mod host;
pub mod json;
pub mod opened;
pub mod page;
pub mod page_data;
pub mod page_url;
pub mod present;
pub mod qr;
pub mod quote;
#[cfg(feature = "ssr")]
pub mod render;
pub mod screen;
#[cfg(any(target_arch = "wasm32", feature = "ssr"))]
mod screens;
pub mod state;
pub mod step;
pub mod words;

#[cfg(target_arch = "wasm32")]
mod shell;

pub use present::present;
pub use step::step;
