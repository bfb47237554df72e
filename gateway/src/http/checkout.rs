//! What a payer sees: the page, its forms, and what the page asks.

pub mod checkout_page;
pub mod claim_page;
pub mod form_page;
pub mod get_checkout;
pub mod logo;
pub mod lookup_page;
pub mod receipt_page;
pub mod send_wallet_transaction;
pub mod visit;
pub mod wallet_page;
