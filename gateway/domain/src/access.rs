//! Authorisation, operators and rate limits.

pub mod actor;
pub mod audit;
pub mod operator;
pub mod rate_limits;
pub mod scope;
pub mod session;
pub mod session_nonce;
pub mod token;
