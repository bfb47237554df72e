//! One journey a file.

mod change_of_mind;
mod console;
mod console_screens;
mod crash;
mod double_spend;
mod every_screen;
mod expiry;
mod forged_messages_to_the_page;
mod forged_messages_to_the_shop;
mod harness;
mod keyboard;
mod locked_out;
mod offline;
mod overpaid;
mod partial;
mod pay_bitcoin;
mod pay_stellar_with_memo;
mod pay_usdt_on_tron;
mod pay_xrp_with_tag;
mod policy;
mod qr_code;
mod redirect;
mod reload;
mod shop;
mod themes;
mod wrong_clock;
