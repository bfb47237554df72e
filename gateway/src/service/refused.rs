//! Reasons for refusing a merchant's request.

use checkout_core::Network;
use checkout_core::wire::FieldError;
use checkout_domain::ports::StoreError;

#[derive(Debug)]
pub enum Refused {
    /// A payer's session is not allowed to do this.
    NotAllowed,
    Invalid(Vec<FieldError>),
    /// Another request used the same merchant's id, which is in this field.
    Taken(&'static str),
    /// The network has no payouts at the moment.
    NetworkUnavailable(Network),
    /// No fresh rate.
    NoRate,
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A created object, or the one that an identical request created before.
#[derive(Debug)]
pub struct Answer<T> {
    pub body: T,
    pub replayed: bool,
}
