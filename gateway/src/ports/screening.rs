//! Who owns an address, and whether money may go there (AML).

use async_trait::async_trait;
use checkout_core::Network;

use crate::domain::withdrawal::AddressOwner;

/// What the screening says of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screened {
    pub owner: AddressOwner,
    /// Nothing may be sent there.
    pub blocked: bool,
}

/// The screening cannot be asked: nothing is sent until it can.
#[derive(Debug)]
pub struct ScreeningError(pub Box<dyn std::error::Error + Send + Sync>);

#[async_trait]
pub trait Screening: Send + Sync {
    /// `address` is in the normal form.
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError>;
}
