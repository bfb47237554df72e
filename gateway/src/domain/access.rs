//! Who may ask for what, and how often.

pub mod rate_limits;
pub mod session;
pub mod token;
