//! Payment rules shared by gateway and widget: expiry, amount due, status.

mod finding;
mod received;
mod status;
mod window;

pub use finding::{Coins, Finding};
pub use received::{Received, excess, remaining};
pub use status::{StatusInputs, status};
pub use window::{DEFAULT_EXPIRATION_MINUTES, ZERO_MEANS_MINUTES, expires_at, window_end};
