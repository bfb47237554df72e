//! Authorisation and rate limits.

pub mod rate_limits;
pub mod scope;
pub mod session;
pub mod token;
