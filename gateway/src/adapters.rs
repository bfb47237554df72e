//! Adapters for the ports, except the database and the chains.

pub mod blank_page;
pub mod http_rates;
pub mod http_sender;
#[cfg(test)]
mod localhost_tls;
pub mod os_random;
pub mod rule_screening;
pub mod screening_timeout;
pub mod smtp_mailer;
