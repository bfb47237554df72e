//! XRP Ledger: `<address>?dt=<tag>&amount=<xrp>`, which many wallets read although its draft standard was
//! abandoned, and a link for Xaman with the same parameters.

use alloc::string::{String, ToString};

use super::{Payment, Request, UriError, once};
use crate::address::Address;
use crate::encoding::query;
use crate::money::Amount;
use crate::pair::Pair;
use crate::tag::Tag;

pub(super) const XAMAN: &str = "https://xaman.app/detect/request:";

pub(super) fn write(request: &Request<'_>) -> String {
    let mut uri = request.address.to_string();
    if let Some(tag) = request.tag {
        query::push(&mut uri, "dt", &tag.to_string());
    }
    if let Some(amount) = request.decimal() {
        query::push(&mut uri, "amount", &amount);
    }
    uri
}

pub(super) fn xaman_link(request: &Request<'_>) -> String {
    let mut link = XAMAN.to_string();
    link.push_str(request.address);
    if let Some(amount) = request.decimal() {
        query::push(&mut link, "amount", &amount);
    }
    if let Some(tag) = request.tag {
        query::push(&mut link, "dt", &tag.to_string());
    }
    query::push(&mut link, "network", "XRPL");
    link
}

pub(super) fn read(pair: &Pair, text: &str) -> Result<Payment, UriError> {
    let rest = text.strip_prefix(XAMAN).unwrap_or(text);
    let (address, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let address = Address::parse(pair.network, address)?;
    let (mut tag, mut amount) = (None, None);
    for (key, value) in query::pairs(parameters) {
        match key {
            "dt" => once(&mut tag, Tag::parse(pair.network, value, None)?)?,
            "amount" => once(&mut amount, Amount::parse(value, pair.decimals)?)?,
            "network" if value != "XRPL" => return Err(UriError::WrongAsset),
            _ => {}
        }
    }
    Ok(Payment { address, tag: tag.flatten(), amount })
}
