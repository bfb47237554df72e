//! Whitelisted addresses: the entry, the request that adds one, the query for a page. Interface sections 2.5,
//! 4.5 and 4.6.

use checkout_core::wire::MAX_LABEL;
use checkout_core::wire::whitelist_address::WhitelistedAddress;
use checkout_core::{Currency, Pair};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::domain::access::token::hex;
use crate::domain::chain::environment::Environments;
use crate::domain::input::client_id::client_id;
use crate::domain::input::fields::Fields;
use crate::domain::input::page::{self, uuid};
use crate::domain::withdrawal::recipient::{self, Recipient};

#[derive(Clone, Debug)]
pub struct Entry {
    pub id: Uuid,
    pub business: Uuid,
    pub client_address_id: String,
    pub pair: &'static Pair,
    /// In normal form.
    pub address: String,
    pub tag: Option<String>,
    pub label: Option<String>,
    pub created_at: u64,
}

impl Entry {
    pub fn to_wire(&self) -> WhitelistedAddress {
        WhitelistedAddress {
            id: self.id.to_string(),
            client_address_id: self.client_address_id.clone(),
            currency: self.pair.currency.code().to_owned(),
            network: self.pair.network.code().to_owned(),
            address: self.address.clone(),
            destination_tag: self.tag.clone(),
            label: self.label.clone(),
            created_at: self.created_at,
        }
    }
}

/// A valid body of `POST /whitelist-addresses`.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub client_address_id: String,
    pub pair: &'static Pair,
    pub recipient: Recipient,
    pub label: Option<String>,
}

impl NewEntry {
    pub fn read(fields: &mut Fields, environments: &Environments) -> Option<Self> {
        let client_address_id = client_id(fields, "clientAddressId");
        fields.require("currency");
        let currency = fields.parsed("currency", "unknown_currency", "is not a known cryptocurrency");
        fields.require("network");
        let pair = recipient::read_pair(fields, currency, None);
        let recipient = recipient::read(fields, "address", pair, false, environments);
        let label = fields.text("label");
        if label.as_ref().is_some_and(|label| label.chars().count() > MAX_LABEL) {
            fields.error("label", "too_long", format!("must have at most {MAX_LABEL} characters"));
        }
        fields.is_valid().then_some(())?;
        Some(Self { client_address_id: client_address_id?, pair: pair?, recipient: recipient?, label })
    }

    /// SHA-256 of the request's meaning: two texts of one account are equal.
    pub fn hash(&self) -> String {
        let meaning = json!([
            self.client_address_id,
            self.pair.currency.code(),
            self.pair.network.code(),
            self.recipient.address,
            self.recipient.tag,
            self.label,
        ]);
        hex(&Sha256::digest(meaning.to_string().as_bytes()))
    }
}

/// A valid query of `GET /whitelist-addresses`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub id: Option<Uuid>,
    pub client_address_id: Option<String>,
    pub currency: Option<Currency>,
    pub label: Option<String>,
    /// Only entries after this one in the order of the list.
    pub after: Option<Uuid>,
    /// Only entries before this one in the order of the list: the nearest ones, unless `after` is given.
    pub before: Option<Uuid>,
    /// Newest first.
    pub descending: bool,
    pub limit: u32,
}

impl Page {
    /// Reads the query; all values are texts.
    pub fn read(fields: &mut Fields) -> Option<Self> {
        let (id, client_address_id) = (uuid(fields, "id"), fields.text("clientAddressId"));
        let currency = fields.parsed("currency", "unknown_currency", "is not a known cryptocurrency");
        let label = fields.text("label");
        let page::Page { after, before, descending, limit } = page::Page::read(fields);
        let page = Self { id, client_address_id, currency, label, after, before, descending, limit };
        fields.is_valid().then_some(page)
    }
}
