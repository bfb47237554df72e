//! How much the gateway asks of servers: requests of an hour at the default pace, and answers without an end.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod counter;
mod flood;
mod hour;
mod servers;
