//! The views and actions of the sandbox's console. They are not part of the public API.

pub mod callbacks;
pub mod detail;
pub mod held;
pub mod inbox;
pub mod money;
pub mod overview;
pub mod payments;
pub mod timeline;
pub mod waits;
