//! The networks' address rules.

use core::fmt;

use crate::address::{Address, AddressError, Options, Reason};
use crate::network::Network;

pub(crate) struct Found {
    pub(crate) address: Address,
}

pub(crate) fn parse(_network: Network, _text: &str, _options: &Options) -> Result<Found, AddressError> {
    Err(Reason::Unrecognized.into())
}

pub(crate) fn write(_address: &Address, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
    Ok(())
}
