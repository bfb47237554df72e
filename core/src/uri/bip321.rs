//! `bitcoin:…?amount=…` ([BIP-321]), and the same for Litecoin and Bitcoin Cash by convention.
//!
//! [BIP-321]: https://github.com/bitcoin/bips/blob/master/bip-0321.mediawiki

use alloc::string::{String, ToString};

use super::{Forms, Payment, Request, UriError, once, query, strip_scheme};
use crate::address::Address;
use crate::amount::Amount;
use crate::pair::Pair;

pub(crate) const BITCOIN: Forms = Forms {
    payment: |request| write("bitcoin", request.address, request),
    qr: |request| write("bitcoin", &capitals(request.address), request),
    bare: |request| request.address.to_string(),
    wallet: |request| Some(write("bitcoin", request.address, request)),
    read: |pair, text| read("bitcoin", pair, text),
};

pub(crate) const LITECOIN: Forms = Forms {
    payment: |request| write("litecoin", request.address, request),
    qr: |request| write("litecoin", request.address, request),
    wallet: |request| Some(write("litecoin", request.address, request)),
    read: |pair, text| read("litecoin", pair, text),
    ..BITCOIN
};

/// The prefix of a CashAddr is the scheme.
pub(crate) const BITCOIN_CASH: Forms = Forms {
    payment: |request| write(CASH, without_prefix(request.address), request),
    qr: |request| write(CASH, without_prefix(request.address), request),
    wallet: |request| Some(write(CASH, without_prefix(request.address), request)),
    read: |pair, text| read(CASH, pair, text),
    ..BITCOIN
};

const CASH: &str = "bitcoincash";

fn without_prefix(address: &str) -> &str {
    strip_scheme(address, CASH).unwrap_or(address)
}

/// bech32 in capitals is the same address, and a smaller QR code.
fn capitals(address: &str) -> String {
    match address.get(..3) {
        Some("bc1") => address.to_ascii_uppercase(),
        _ => address.to_string(),
    }
}

fn write(scheme: &str, address: &str, request: &Request<'_>) -> String {
    let mut uri = scheme.to_string();
    uri.push(':');
    uri.push_str(address);
    if let Some(amount) = request.decimal() {
        query::push(&mut uri, "amount", &amount);
    }
    uri
}

fn read(scheme: &str, pair: &Pair, text: &str) -> Result<Payment, UriError> {
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
