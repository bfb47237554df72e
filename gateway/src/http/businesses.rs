//! Businesses and their credentials.

pub mod create_business;
pub mod get_business;
pub mod list_businesses;
pub mod rotate_credentials;
pub mod update_business;
