//! Who signs in.

pub mod audit;
pub mod authenticate;
pub mod operators;
pub mod passwords;
pub mod sign_in;
