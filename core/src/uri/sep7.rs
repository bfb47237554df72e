//! Stellar: `web+stellar:pay?destination=…&amount=…&memo=…&memo_type=…` ([SEP-7]).
//!
//! [SEP-7]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0007.md

use alloc::string::{String, ToString};

use super::{Payment, Request, UriError, once, strip_scheme};
use crate::address::{Address, Reason};
use crate::encoding::{base64, percent, query};
use crate::money::Amount;
use crate::pair::Pair;
use crate::tag::{MemoType, Tag};

pub(crate) const SCHEME: &str = "web+stellar";

const PUBLIC_NETWORK: &str = "Public Global Stellar Network ; September 2015";

pub(super) fn write(request: &Request<'_>) -> String {
    let mut uri = String::from("web+stellar:pay");
    query::push(&mut uri, "destination", request.address);
    if let Some(amount) = request.decimal() {
        query::push(&mut uri, "amount", &amount);
    }
    if let Some(tag) = request.tag {
        let (memo, memo_type) = match tag {
            Tag::MemoHash(hash) => {
                (String::from_utf8_lossy(&base64::encode_32(hash)).into_owned(), "MEMO_HASH")
            }
            Tag::MemoText(text) => (text.clone(), "MEMO_TEXT"),
            tag => (tag.to_string(), "MEMO_ID"),
        };
        query::push(&mut uri, "memo", &memo);
        query::push(&mut uri, "memo_type", memo_type);
    }
    uri
}

pub(super) fn read(pair: &Pair, text: &str) -> Result<Payment, UriError> {
    let Some(rest) = strip_scheme(text, SCHEME) else {
        return Ok(Payment { address: Address::parse(pair.network, text)?, tag: None, amount: None });
    };
    let parameters = rest.strip_prefix("pay?").ok_or(UriError::Form)?;
    let (mut address, mut amount, mut memo, mut memo_type) = (None, None, None, None);
    for (key, value) in query::pairs(parameters) {
        let value = percent::decode(value).ok_or(UriError::Form)?;
        match key {
            "destination" => once(&mut address, Address::parse(pair.network, &value)?)?,
            "amount" => once(&mut amount, Amount::parse(&value, pair.decimals)?)?,
            "memo" => once(&mut memo, value)?,
            "memo_type" => once(&mut memo_type, value)?,
            "asset_code" if value != "XLM" => return Err(UriError::WrongAsset),
            "network_passphrase" if value != PUBLIC_NETWORK => return Err(UriError::WrongAsset),
            _ => {}
        }
    }
    let memo_type = match memo_type.as_deref() {
        None | Some("MEMO_TEXT") => MemoType::Text,
        Some("MEMO_ID") => MemoType::Id,
        Some("MEMO_HASH") => MemoType::Hash,
        Some(_) => return Err(UriError::Required),
    };
    let tag = match memo {
        Some(memo) => Tag::parse(pair.network, &memo, Some(memo_type))?,
        None => None,
    };
    let address = address.ok_or(UriError::Address(Reason::Empty.into()))?;
    Ok(Payment { address, tag, amount })
}
