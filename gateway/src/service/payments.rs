//! What is asked for: payments, their quotes, and what the page shows.

pub mod accept_payment;
pub mod cancel_payment;
pub mod checkout_view;
pub mod choose_deposit;
pub mod create_payment;
pub mod expire_payments;
pub mod keep_link;
pub mod past_choices;
pub mod payment_request;
pub mod read_payment;
pub mod refresh_payment;
pub mod usual_fee;
pub mod wallet_signing;
