//! Pages of the lists of a business.

pub(crate) mod callbacks;
pub(crate) mod deposits;
pub(crate) mod ledger;
pub(crate) mod payment_deposits;
pub(crate) mod payments;
pub(crate) mod refunds;
pub(crate) mod withdrawals;
