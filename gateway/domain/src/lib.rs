//! The business rules of the gateway: no HTTP, no SQL, no clock, no I/O. [`ports`] are its external dependencies as traits.

pub mod access;
pub mod business;
pub mod callback;
pub mod chain;
pub mod fail_point;
pub mod ids;
pub mod ledger;
pub mod mail;
pub mod page;
pub mod payment;
pub mod ports;
pub mod rates;
pub mod sale;
pub mod withdrawal;
mod words;
