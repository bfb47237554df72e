//! The use cases, one per file. Neither status codes nor SQL.

pub mod announce;
pub mod app;
pub mod authenticate;
pub mod checkout_view;
pub mod choose_deposit;
pub mod create_business;
pub mod create_payment;
pub mod create_withdrawal;
pub mod credentials;
pub mod decide_refund;
pub mod deliver_callbacks;
pub mod deposit_sums;
pub mod expire_payments;
pub mod follow_deposit;
pub mod ids;
pub mod list_request;
pub mod network_status;
pub mod pay_out;
pub mod polls;
pub mod read_payment;
pub mod readiness;
pub mod record_transfers;
pub mod refund_payment;
pub mod refused;
pub mod resolve_business;
pub mod round_robin;
pub mod screen_deposits;
pub mod send_refund;
pub mod settle_deposits;
pub mod store_kind;
pub mod token_key;
pub mod update_business;
pub mod whitelist;
pub mod withdrawal_rules;

pub use app::App;
