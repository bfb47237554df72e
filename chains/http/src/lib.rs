//! HTTP requests to nodes, indexers, signers and feeds of rates.

pub mod client;
pub mod error;
pub mod fields;
pub mod gate;
pub mod node;
mod request_ids;

pub use error::{Code, NodeError};
pub use fields::Fields;
pub use node::NodeClient;
pub use request_ids::RequestIds;
