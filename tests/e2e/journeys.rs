//! One journey per file, in every engine.

mod change_of_mind;
mod crash;
mod double_spend;
mod expiry;
mod faults;
pub(crate) mod forged_messages_to_the_page;
mod idle;
mod keyboard;
pub(crate) mod languages;
mod locked_out;
pub(crate) mod origin_not_allowed;
mod overpaid;
mod partial;
mod pay_bitcoin;
mod pay_stellar_with_memo;
mod pay_usdt_on_tron;
mod pay_xrp_with_tag;
mod plain_iframe;
mod policy;
pub(crate) mod qr_code;
mod redirect;
mod reload;
mod shop;
mod tag_step;
mod take_over;
pub(crate) mod themes;
pub(crate) mod without_script;
