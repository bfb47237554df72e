//! Parses requests. All errors of a body are reported at once.

pub mod amount;
pub mod client_id;
pub mod fields;
pub mod id;
pub mod names;
pub mod origin;
pub mod page;
pub mod public_address;
pub mod text;
pub mod validation_request;
