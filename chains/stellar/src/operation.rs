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

    /// Its number on the network, which is its paging token, too, and has that of its transaction in front ([SEP-35]). `None` if two of
    /// them are not the same, or only one is there.
    ///
    /// [SEP-35]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0035.md
    pub fn id(&self) -> Option<u64> {
        let of = |fields: &Fields, name| fields.need::<String>(name).ok()?.parse::<u64>().ok();
        let transaction = self.0.object("transaction").ok();
        let transaction = transaction.and_then(|transaction| of(&transaction, "paging_token"));
        let both = [of(&self.0, "id"), of(&self.0, "paging_token")];
        let mut all = both.into_iter().flatten();
        let id = all.next()?;
        let is_seconded = transaction.is_some() || both[0] == both[1];
        let is_same = all.all(|other| other == id) && transaction.is_none_or(|first| first == id & !0xFFF);
        (is_seconded && is_same).then_some(id)
    }

    /// In lower-case digits, of its transaction, not of the one that a fee-bump transaction carries. `None` if it has two.
    pub fn hash(&self) -> Option<String> {
        let of = |fields: &Fields, name| {
            fields
                .need::<String>(name)
                .ok()
                .filter(|hash| is_hash(hash))
                .map(|hash| hash.to_ascii_lowercase())
        };
        let hash = of(&self.0, "transaction_hash")?;
        let transaction = self.0.object("transaction").unwrap_or_default();
        let bump = transaction.object("fee_bump_transaction").unwrap_or_default();
        let others = [of(&transaction, "hash"), of(&bump, "hash")];
        others.into_iter().flatten().all(|other| other == hash).then_some(hash)
    }

    /// As an entry that is set aside names it.
    pub fn part(&self) -> Option<String> {
        self.place().map(|place| format!("operation {place}"))
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
