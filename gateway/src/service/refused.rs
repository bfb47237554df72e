//! Why a merchant's request is refused.

use checkout_core::Network;
use checkout_core::wire::FieldError;

use crate::ports::StoreError;

#[derive(Debug)]
pub enum Refused {
    /// A payer's session may not do this.
    NotAllowed,
    Invalid(Vec<FieldError>),
    /// A different request already used the client id in this field.
    Taken(&'static str),
    /// Nothing can be sent on this network.
    NetworkUnavailable(Network),
    /// No fresh exchange rate.
    NoRate,
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What was created, now or earlier by the same request.
#[derive(Debug)]
pub struct Answer<T> {
    pub body: T,
    pub replayed: bool,
}
