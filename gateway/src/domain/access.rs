//! Authorisation and rate limits.

pub mod rate_limits;
pub mod session;
pub mod token;
