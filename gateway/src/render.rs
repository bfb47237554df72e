//! Converts stored data to the interface's resources.

pub mod balance;
pub mod business;
pub mod callback;
pub mod claim;
pub mod counter;
pub mod currencies;
pub mod deposit;
pub mod ledger;
pub mod memo_type;
pub mod payment;
pub mod quote;
pub mod refund;
pub mod sale_link;
pub mod whitelist_address;
pub mod withdrawal;
