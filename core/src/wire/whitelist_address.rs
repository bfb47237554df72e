//! `GET /whitelist-addresses` and `POST /whitelist-addresses`

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// The request. Interface section 4.6.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WhitelistAddress {
    pub client_address_id: String,
    pub currency: String,
    pub network: String,
    pub address: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Interface section 2.5. `createdAt` is a number of UNIX seconds, as in the interface's examples; a reader of
/// ours takes the text of its schema, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WhitelistedAddress {
    pub id: String,
    pub client_address_id: String,
    pub currency: String,
    pub network: String,
    pub address: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(deserialize_with = "number_or_text")]
    pub created_at: u64,
}

fn number_or_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u64),
        Text(String),
    }
    match Either::deserialize(deserializer)? {
        Either::Number(number) => Ok(number),
        Either::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn created_at_is_read_in_both_forms_and_written_as_a_number() {
        for created_at in ["1800000000", "\"1800000000\""] {
            let text = alloc::format!(
                r#"{{"id":"i","clientAddressId":"c","currency":"BTC","network":"BTC","address":"a","createdAt":{created_at}}}"#
            );
            let address: WhitelistedAddress = serde_json::from_str(&text).unwrap();
            assert_eq!(address.created_at, 1_800_000_000);
            assert!(serde_json::to_string(&address).unwrap().ends_with("\"createdAt\":1800000000}"));
        }
    }
}
