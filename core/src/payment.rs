//! The payment rules that gateway and widget share: expiry, what is still due, the next status.

mod received;
mod status;
mod window;

pub use received::{Received, excess, remaining};
pub use status::{StatusInputs, status};
pub use window::{DEFAULT_EXPIRATION_MINUTES, ZERO_MEANS_MINUTES, expires_at, window_end};
