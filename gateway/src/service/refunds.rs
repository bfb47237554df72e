//! What goes back to payers.

pub mod claim_refund;
pub mod decide_refund;
pub mod refund_payment;
pub mod refund_request;
pub mod send_refund;
