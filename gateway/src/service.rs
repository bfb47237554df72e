//! The use cases, one per file, in rooms. Neither status codes nor SQL.

pub mod access;
pub mod app;
pub mod businesses;
pub mod callbacks;
pub mod ids;
pub mod mail;
pub mod payments;
pub mod payouts;
pub mod refunds;
pub mod refused;
pub(crate) mod request_hash;
pub mod sales;
pub mod state;
pub mod transfers;

pub use app::App;
