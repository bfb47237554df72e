//! What merchants are told.

pub mod list_callbacks;
pub mod resend_callback;
pub mod test_callback;
