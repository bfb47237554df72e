//! Reads requests: the fields of a body or a query, by the interface's rules. All errors are reported at once.

pub mod business;
pub mod client_id;
mod codes;
pub mod fields;
pub mod id;
pub mod languages;
pub mod names;
pub mod notes;
pub mod page;
pub mod recipient;
pub mod search;
pub mod seen;
