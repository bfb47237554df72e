//! What the gateway decides, and nothing else: no HTTP, no SQL, no clock, no I/O.

pub mod address_space;
pub mod asset;
pub mod business;
pub mod create_request;
pub mod deposit;
pub mod fiat;
pub mod fields;
pub mod id;
pub mod money;
pub mod muldiv;
pub mod origin;
pub mod payment;
pub mod quote;
pub mod recipient;
pub mod render;
pub mod sandbox_request;
pub mod session;
pub mod settlement;
pub mod standing;
pub mod token;
pub mod update_request;
pub mod whitelist;
pub mod withdrawal;
