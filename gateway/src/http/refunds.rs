//! What goes back to payers.

pub mod claim_refund;
pub mod create_refund;
pub mod decide_refund;
pub mod get_refund;
pub mod list_refunds;
