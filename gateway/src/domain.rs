//! The business rules: no HTTP, no SQL, no clock, no I/O.

pub mod access;
pub mod business;
pub mod chain;
pub mod ledger;
pub mod page;
pub mod payment;
pub mod rates;
pub mod webhook;
pub mod withdrawal;
