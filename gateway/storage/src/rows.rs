//! Rows: how the structs of the domain are written and read, a file per table.

pub(crate) mod business;
pub(crate) mod callback;
pub(crate) mod deposit;
pub(crate) mod deposit_sums;
pub(crate) mod dust;
pub(crate) mod flag;
pub(crate) mod ledger;
pub(crate) mod other_senders;
pub(crate) mod payment;
pub(crate) mod payment_texts;
pub(crate) mod payment_with_deposits;
pub(crate) mod payout;
pub(crate) mod pending;
pub(crate) mod quote;
pub(crate) mod refund;
pub(crate) mod session;
pub(crate) mod settlement;
pub(crate) mod withdrawal;
