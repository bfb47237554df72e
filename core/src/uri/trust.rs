//! `https://link.trustwallet.com/send?asset=…&address=…&amount=…` ([Trust Wallet]): for TRON, which has no URI standard, and for
//! tokens, whose contract is no recipient here.
//!
//! [Trust Wallet]: https://developer.trustwallet.com/developer/develop-for-trust/deeplinking

use alloc::string::{String, ToString};

use super::{Payment, Request, UriError, once};
use crate::address::Address;
use crate::encoding::query;
use crate::money::Amount;
use crate::pair::Pair;

const START: &str = "https://link.trustwallet.com/send";

/// The universal asset id: the coin's, and the token's contract.
fn asset(coin: &str, pair: &Pair) -> String {
    let mut asset = String::from(coin);
    if let Some(contract) = pair.contract {
        asset.push_str("_t");
        asset.push_str(contract);
    }
    asset
}

pub(super) fn write(coin: &str, request: &Request<'_>) -> String {
    let mut link = START.to_string();
    query::push(&mut link, "asset", &asset(coin, request.pair));
    query::push(&mut link, "address", request.address);
    if let Some(amount) = request.decimal() {
        query::push(&mut link, "amount", &amount);
    }
    link
}

/// `None` if it is no link of Trust Wallet.
pub(super) fn read(coin: &str, pair: &Pair, text: &str) -> Option<Result<Payment, UriError>> {
    let parameters = text.strip_prefix(START)?.strip_prefix('?')?;
    Some(read_parameters(&asset(coin, pair), pair, parameters))
}

fn read_parameters(asset: &str, pair: &Pair, parameters: &str) -> Result<Payment, UriError> {
    let (mut of_asset, mut address, mut amount) = (None, None, None);
    for (key, value) in query::pairs(parameters) {
        match key {
            "asset" => once(&mut of_asset, value)?,
            "address" => once(&mut address, Address::parse(pair.network, value)?)?,
            "amount" => once(&mut amount, Amount::parse(value, pair.decimals)?)?,
            _ => {}
        }
    }
    if of_asset != Some(asset) {
        return Err(UriError::WrongAsset);
    }
    Ok(Payment { address: address.ok_or(UriError::Form)?, tag: None, amount })
}
