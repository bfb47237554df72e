//! Whose money it is.

pub mod create_business;
pub mod credentials;
pub mod token_key;
pub mod update_business;
