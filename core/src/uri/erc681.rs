//! `ethereum:…@1?value=…` and `ethereum:<contract>@1/transfer?address=…&uint256=…` ([ERC-681]).
//!
//! [ERC-681]: https://eips.ethereum.org/EIPS/eip-681

use alloc::string::String;

use super::{Payment, Request, UriError, once, strip_scheme};
use crate::address::Address;
use crate::encoding::query;
use crate::money::{Amount, AmountError};
use crate::pair::Pair;

pub(crate) const SCHEME: &str = "ethereum";

pub(super) fn write(chain_id: &str, request: &Request<'_>) -> String {
    let mut uri = String::from("ethereum:");
    push(&mut uri, chain_id, request);
    uri
}

/// What follows the scheme.
pub(super) fn push(uri: &mut String, chain_id: &str, request: &Request<'_>) {
    uri.push_str(request.pair.contract.unwrap_or(request.address));
    uri.push('@');
    uri.push_str(chain_id);
    let amount_key = if request.pair.contract.is_some() {
        uri.push_str("/transfer");
        query::push(uri, "address", request.address);
        "uint256"
    } else {
        "value"
    };
    if let Some(atoms) = request.atoms() {
        query::push(uri, amount_key, &atoms);
    }
}

pub(super) fn read(chain_id: &str, pair: &Pair, text: &str) -> Result<Payment, UriError> {
    let Some(rest) = strip_scheme(text, SCHEME) else {
        return Ok(Payment { address: Address::parse(pair.network, text)?, tag: None, amount: None });
    };
    read_call(chain_id, pair, rest.strip_prefix("pay-").unwrap_or(rest))
}

/// Reads what follows the scheme.
pub(super) fn read_call(chain_id: &str, pair: &Pair, rest: &str) -> Result<Payment, UriError> {
    let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let (target, function) = match path.split_once('/') {
        Some((target, function)) => (target, Some(function)),
        None => (path, None),
    };
    // A URI without a chain id means the wallet's current chain, usually Ethereum.
    let (target, chain) = target.split_once('@').unwrap_or((target, "1"));
    if chain != chain_id {
        return Err(UriError::WrongAsset);
    }
    let amount_key = match (pair.contract, function) {
        (None, None) => "value",
        (Some(contract), Some("transfer")) if target.eq_ignore_ascii_case(contract) => "uint256",
        _ => return Err(UriError::WrongAsset),
    };
    let (mut recipient, mut amount) = (None, None);
    for (key, value) in query::pairs(parameters) {
        if key == amount_key {
            once(&mut amount, integer(value)?)?;
        } else if key == "address" && function.is_some() {
            once(&mut recipient, value)?;
        }
    }
    let recipient = if function.is_some() { recipient.ok_or(UriError::Form)? } else { target };
    Ok(Payment { address: Address::parse(pair.network, recipient)?, tag: None, amount })
}

/// Parses an integer, which ERC-681 also allows as `2.014e18`.
fn integer(text: &str) -> Result<Amount, AmountError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<u8>().map_err(|_| AmountError::Exponent)?),
        None => (text, 0),
    };
    Amount::parse(mantissa, exponent)
}
