//! What the console of the sandbox shows and does. Its views are no part of the interface.

pub mod callbacks;
pub mod detail;
pub mod held;
pub mod inbox;
pub mod money;
pub mod overview;
pub mod payments;
pub mod timeline;
pub mod waits;
