//! Why a merchant's request is refused.

use checkout_core::Network;
use checkout_core::wire::FieldError;

use crate::ports::StoreError;

#[derive(Debug)]
pub enum Refused {
    /// A payer's session does nothing of the kind.
    NotAllowed,
    Invalid(Vec<FieldError>),
    /// Another request was answered under the same id of the merchant's, which is in this field.
    Taken(&'static str),
    /// Nothing is sent on this network at the moment.
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

/// What was made, or was made before by the same request.
#[derive(Debug)]
pub struct Answer<T> {
    pub body: T,
    pub replayed: bool,
}
