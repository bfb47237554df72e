//! Adapters for the ports, except the database: [`storage`](crate::storage).

pub mod blank_page;
pub mod deposit_keys;
pub mod http_client;
pub mod http_rates;
pub mod http_sender;
#[cfg(test)]
mod localhost_tls;
pub mod os_random;
pub mod request_gate;
pub mod rule_screening;
pub mod screening_timeout;
pub mod system_clock;
