//! What everybody may ask.

pub mod front;
pub mod get_rates;
pub mod health;
pub mod list_currencies;
pub mod metrics;
pub mod validate_address;
