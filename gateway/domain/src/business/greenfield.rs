//! What a business has for shops that speak BTCPay Server's Greenfield API.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A business that has this answers such shops.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greenfield {
    pub webhooks: Vec<StoreWebhook>,
    /// The permissions that a plugin asked for when it was given a token, by the token's handle. Other tokens show all that their
    /// scopes allow.
    #[serde(default)]
    pub permissions: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreWebhook {
    pub id: String,
    pub url: String,
    /// The key of `BTCPay-Sig`, as it is.
    pub secret: String,
    pub enabled: bool,
    /// Whether a delivery that fails is tried again.
    pub automatic_redelivery: bool,
    /// `None` for all.
    pub events: Option<Vec<String>>,
}

/// Most webhooks of a business.
pub const MAX_WEBHOOKS: usize = 20;

impl Greenfield {
    /// As stored.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("texts, lists and booleans are JSON")
    }

    /// Reads what [`to_text`](Self::to_text) wrote.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub fn webhook(&self, id: &str) -> Option<&StoreWebhook> {
        self.webhooks.iter().find(|webhook| webhook.id == id)
    }
}

impl StoreWebhook {
    pub fn wants(&self, event: &str) -> bool {
        self.enabled && self.events.as_ref().is_none_or(|events| events.iter().any(|one| one == event))
    }
}
