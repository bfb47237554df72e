//! `https://link.metamask.io/send/…` ([MetaMask]): an ERC-681 URI without its scheme. MetaMask alone opens it, and it reads the
//! function of a token's transfer.
//!
//! [MetaMask]: https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/

use alloc::string::String;

use super::{Payment, Request, UriError, erc681};
use crate::pair::Pair;

pub(super) const START: &str = "https://link.metamask.io/send/";

pub(super) fn write(chain_id: &str, request: &Request<'_>) -> String {
    let mut link = String::from(START);
    erc681::push(&mut link, chain_id, request);
    link
}

/// `None` if it is no link of MetaMask.
pub(super) fn read(chain_id: &str, pair: &Pair, text: &str) -> Option<Result<Payment, UriError>> {
    Some(erc681::read_call(chain_id, pair, text.strip_prefix(START)?))
}
