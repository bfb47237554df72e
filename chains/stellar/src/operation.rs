//! An operation of any kind in a list. An odd field concerns only what is read from it.

use checkout_chain_http::Fields;
use checkout_chain_http::fields::is_hash;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::answers::number;

#[derive(Clone, Debug)]
pub struct Operation(pub(crate) Fields);

impl Operation {
    pub fn of(raw: &RawValue) -> Result<Self, String> {
        Fields::of(raw).map(Self)
    }

    /// Its number on the network, which is its paging token, too ([SEP-35]). `None` if the two are not the same.
    ///
    /// [SEP-35]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0035.md
    pub fn id(&self) -> Option<u64> {
        let of = |name| self.0.need::<String>(name).ok()?.parse::<u64>().ok();
        match (of("id"), of("paging_token")) {
            (Some(id), Some(token)) if id != token => None,
            (id, token) => id.or(token),
        }
    }

    pub fn hash(&self) -> Option<String> {
        self.0.need("transaction_hash").ok().filter(|hash: &String| is_hash(hash))
    }

    /// Its number in its transaction.
    pub fn place(&self) -> Option<u32> {
        u32::try_from(self.id()? & 0xFFF).ok()
    }
}

/// The id of a muxed account, as text or number; `None` if the account is not muxed.
pub(crate) fn muxed_id(fields: &Fields, name: &str) -> Result<Option<String>, String> {
    let Some(value) = fields.get::<Value>(name)? else { return Ok(None) };
    let id = number(&value).filter(|text| text.parse::<u64>().is_ok());
    id.map(Some).ok_or_else(|| format!("its {name} cannot be read"))
}
