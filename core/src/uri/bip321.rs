//! `bitcoin:…?amount=…` ([BIP-321]), and the same for Litecoin, Bitcoin Cash and Dogecoin by convention.
//!
//! [BIP-321]: https://github.com/bitcoin/bips/blob/master/bip-0321.mediawiki

use alloc::string::{String, ToString};

use super::{Payment, Request, UriError, once, strip_scheme};
use crate::address::Address;
use crate::encoding::query;
use crate::money::Amount;
use crate::pair::Pair;

/// Writes the scheme once, also if it is the address prefix, as with CashAddr.
pub(super) fn write(scheme: &str, address: &str, request: &Request<'_>) -> String {
    let address = strip_scheme(address, scheme).unwrap_or(address);
    let mut uri = scheme.to_string();
    uri.push(':');
    uri.push_str(address);
    if let Some(amount) = request.decimal() {
        query::push(&mut uri, "amount", &amount);
    }
    uri
}

/// Upper-case bech32 is the same address and makes a smaller QR code.
pub(super) fn default_qr(scheme: &str, capitals: Option<&str>, request: &Request<'_>) -> String {
    if capitals.is_some_and(|start| request.address.starts_with(start)) {
        return write(scheme, &request.address.to_ascii_uppercase(), request);
    }
    write(scheme, request.address, request)
}

pub(super) fn read(scheme: &str, pair: &Pair, text: &str) -> Result<Payment, UriError> {
    let (address, parameters) = match strip_scheme(text, scheme) {
        Some(rest) => rest.split_once('?').unwrap_or((rest, "")),
        None if text.contains('?') => return Err(UriError::Form),
        None => (text, ""),
    };
    let address = Address::parse(pair.network, address)?;
    let mut amount = None;
    for (key, value) in query::pairs(parameters) {
        if key.eq_ignore_ascii_case("amount") {
            once(&mut amount, Amount::parse(value, pair.decimals)?)?;
        } else if key.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("req-")) {
            return Err(UriError::Required);
        }
    }
    Ok(Payment { address, tag: None, amount })
}
