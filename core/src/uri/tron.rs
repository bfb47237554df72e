//! TRON has no URI standard, and wallets refuse the forms in use: the plain address, and a link for Trust
//! Wallet.

use alloc::string::{String, ToString};

use super::{Payment, Request, UriError, once};
use crate::address::Address;
use crate::encoding::query;
use crate::money::Amount;
use crate::pair::Pair;

/// Trust Wallet; 195 is TRON's coin type in
/// [SLIP-44](https://github.com/satoshilabs/slips/blob/master/slip-0044.md).
const TRUST: &str = "https://link.trustwallet.com/send";

fn asset(pair: &Pair) -> String {
    let mut asset = String::from("c195");
    if let Some(contract) = pair.contract {
        asset.push_str("_t");
        asset.push_str(contract);
    }
    asset
}

pub(super) fn trust_link(request: &Request<'_>) -> String {
    let mut link = TRUST.to_string();
    query::push(&mut link, "asset", &asset(request.pair));
    query::push(&mut link, "address", request.address);
    if let Some(amount) = request.decimal() {
        query::push(&mut link, "amount", &amount);
    }
    link
}

pub(super) fn read(pair: &Pair, text: &str) -> Result<Payment, UriError> {
    let Some(parameters) = text.strip_prefix(TRUST).and_then(|rest| rest.strip_prefix('?')) else {
        return Ok(Payment { address: Address::parse(pair.network, text)?, tag: None, amount: None });
    };
    let (mut of_asset, mut address, mut amount) = (None, None, None);
    for (key, value) in query::pairs(parameters) {
        match key {
            "asset" => once(&mut of_asset, value)?,
            "address" => once(&mut address, Address::parse(pair.network, value)?)?,
            "amount" => once(&mut amount, Amount::parse(value, pair.decimals)?)?,
            _ => {}
        }
    }
    if of_asset != Some(asset(pair).as_str()) {
        return Err(UriError::WrongAsset);
    }
    Ok(Payment { address: address.ok_or(UriError::Form)?, tag: None, amount })
}
