//! Payments and their deposits, for merchants.

pub mod accept_payment;
pub mod cancel_payment;
pub mod create_payment;
pub mod decide_deposit;
pub mod get_payment;
pub mod list_deposits;
pub mod list_payment_deposits;
pub mod list_payments;
pub mod list_quotes;
pub mod update_payment;
