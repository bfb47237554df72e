//! Secrets of the database, sealed by a key outside it.

pub mod seal;
pub(crate) mod sealing;
