//! Reading what callers send. Every error of a body is reported at once.

pub mod amount;
pub mod client_id;
pub mod fields;
pub mod id;
pub mod origin;
pub mod public_address;
pub mod text;
pub mod validation_request;
