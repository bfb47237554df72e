//! What a merchant takes out, and what is booked.

pub mod create_withdrawal;
pub mod decide_withdrawal;
pub mod get_withdrawal;
pub mod list_balances;
pub mod list_ledger;
pub mod list_withdrawals;
pub mod whitelist_addresses;
pub mod withdraw_fees;
