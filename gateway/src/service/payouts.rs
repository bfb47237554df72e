//! What leaves: withdrawals, their rules, and everything that is sent.

pub mod compare_wallets;
pub mod create_withdrawal;
pub mod daily_limit;
pub mod decide_hold;
pub mod final_check;
mod hourly_limit;
pub mod network_fee;
pub mod own_address;
pub mod pay_out;
pub mod recipient;
pub mod seen;
pub mod spendable;
pub mod whitelist;
pub mod withdrawal_request;
pub mod withdrawal_rules;
