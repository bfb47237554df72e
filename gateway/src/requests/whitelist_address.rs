//! The body of `POST /api/v1/whitelist-addresses`, read and checked. Interface section 4.5.

use checkout_core::Pair;
use checkout_domain::chain::environment::Environments;
use checkout_wire::MAX_LABEL;
use serde_json::json;

use crate::requests::client_id::{self, client_id};
use crate::requests::fields::Fields;
use crate::requests::recipient::{self, Recipient};

/// A valid request.
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
        let currency = fields.currency("currency");
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
        client_id::hash(&meaning)
    }
}
