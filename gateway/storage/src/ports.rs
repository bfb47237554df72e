//! The ports of the domain, a file each.

pub(crate) mod authenticate;
pub(crate) mod businesses;
pub(crate) mod callbacks;
pub(crate) mod counters;
pub(crate) mod credentials;
pub(crate) mod flagged;
pub(crate) mod known_outputs;
pub(crate) mod ledger;
pub(crate) mod mail;
pub(crate) mod notices;
pub(crate) mod operators;
pub(crate) mod owners;
pub(crate) mod payments;
pub(crate) mod payouts;
pub(crate) mod refunds;
pub(crate) mod sales;
pub(crate) mod set_aside;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod transfers;
pub(crate) mod untagged;
pub(crate) mod valuations;
pub(crate) mod wallets;
pub(crate) mod watched_addresses;
pub(crate) mod whitelist;
pub(crate) mod withdrawal_rules;
