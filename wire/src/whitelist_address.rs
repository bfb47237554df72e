//! `GET /whitelist-addresses` and `POST /whitelist-addresses`. Interface sections 2.5 and 4.6.

use serde::{Deserialize, Serialize};

use super::create_withdrawal::MemoType;
#[cfg(feature = "schema")]
use super::page_query::PageQuery;
use super::texts::{
    AddressId, BusinessId, ClientId, CurrencyCode, Label, NetworkCode, NonEmpty, TagText, Time,
};
use super::words::Word;

/// An address to add to the whitelist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WhitelistAddress {
    /// Identifier of the business. Required with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business_id: Option<BusinessId>,
    /// Your id of the address, unique per business.
    pub client_address_id: ClientId,
    /// Cryptocurrency of the address.
    pub currency: CurrencyCode,
    /// Network of the address. The currency must exist on it.
    pub network: NetworkCode,
    /// Address on the network.
    pub address: NonEmpty,
    /// Destination tag (XRP) or memo (XLM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<TagText>,
    /// Type of the memo on XLM: `text`, `id` or `hash`. Without it digits are an id, and anything else a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<MemoType>,
    /// Label to group addresses by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
}

/// The query of the list.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListAddresses {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    /// Only the address with this id.
    #[schemars(with = "AddressId", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Only the address with this id of yours.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub client_address_id: Option<String>,
    /// Only addresses of this currency.
    #[schemars(with = "CurrencyCode", skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Only addresses with this label.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[schemars(flatten)]
    pub page: PageQuery<AddressId>,
}

/// A whitelisted address.
// `createdAt` is a number of UNIX seconds, as in the interface's examples; the reader also accepts text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct WhitelistedAddress {
    /// Identifier of the address.
    pub id: AddressId,
    /// Your id of the address, unique per business.
    pub client_address_id: ClientId,
    /// Cryptocurrency of the address.
    pub currency: CurrencyCode,
    /// Network of the address.
    pub network: NetworkCode,
    /// Address in its normal form.
    pub address: NonEmpty,
    /// Destination tag (XRP) or memo (XLM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    /// Type of the memo on XLM, if it is not the one that its text has without a type: a `text` of digits, or a `hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<Word<MemoType>>,
    /// Label to group addresses by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
    /// Time of creation.
    #[serde(deserialize_with = "number_or_text")]
    pub created_at: Time,
}

fn number_or_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u64),
        Text(String),
    }
    match Either::deserialize(deserializer)? {
        Either::Number(number) => Ok(Time(number)),
        Either::Text(text) => text.parse().map(Time).map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn created_at_is_read_in_both_forms_and_written_as_a_number() {
        for created_at in ["1800000000", "\"1800000000\""] {
            let text = format!(
                r#"{{"id":"i","clientAddressId":"c","currency":"BTC","network":"BTC","address":"a","createdAt":{created_at}}}"#
            );
            let address: WhitelistedAddress = serde_json::from_str(&text).unwrap();
            assert_eq!(address.created_at, Time(1_800_000_000));
            assert!(serde_json::to_string(&address).unwrap().ends_with("\"createdAt\":1800000000}"));
        }
    }
}
