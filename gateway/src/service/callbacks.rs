//! What merchants are told.

pub mod announce;
pub mod announce_events;
pub mod callback_subject;
pub mod deliver_callbacks;
pub mod test_callback;
