//! What one process knows: its networks, polls and progress.

pub mod network_status;
pub mod polls;
pub mod progress;
pub mod readiness;
pub mod round_robin;
pub mod served_networks;
pub mod store_kind;
