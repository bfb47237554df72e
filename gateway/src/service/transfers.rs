//! What arrives: transfers become deposits, which are screened, valued and settled.

pub mod book;
pub mod confirm_included;
pub mod credit_untagged;
pub mod decide_untagged;
pub mod deposit_sums;
pub mod depth;
pub mod follow_deposit;
pub mod look_up_transaction;
pub mod missing_rate;
pub mod record_transfers;
pub mod report_uncredited;
pub mod report_unknown;
pub mod report_untagged;
pub mod required_confirmations;
pub mod screen_deposits;
pub mod settle_deposits;
pub mod valuation;
pub mod value_deposits;
