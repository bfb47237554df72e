//! Whitelists an address for withdrawals.

use checkout_core::Pair;
use checkout_domain::business::Business;
use checkout_domain::withdrawal::whitelist::WhitelistEntry;
use checkout_wire::whitelist_address::WhitelistedAddress;
use serde_json::json;

use crate::render::whitelist_address::whitelist_address;
use crate::service::App;
use crate::service::payouts::own_address;
use crate::service::payouts::recipient::{self, Recipient};
use crate::service::refused::{ClientId, Created, Refused, no_errors};
use crate::service::request_hash::hash;

#[derive(Clone, Debug)]
pub struct NewEntry {
    pub client_address_id: String,
    pub pair: &'static Pair,
    pub recipient: Recipient,
    pub label: Option<String>,
}

impl NewEntry {
    /// SHA-256 of the request's meaning: two texts of one account are equal.
    fn hash(&self) -> String {
        hash(&json!([
            self.client_address_id,
            self.pair.currency.code(),
            self.pair.network.code(),
            self.recipient.address,
            self.recipient.tag,
            self.label,
        ]))
    }
}

pub async fn add(
    app: &App,
    business: &Business,
    request: NewEntry,
) -> Result<Created<WhitelistedAddress>, Refused> {
    no_errors(recipient::untaken(business, request.pair))?;
    let hash = request.hash();
    let is_own = own_address::is_own(app, request.pair.network, &request.recipient.address).await;
    let entry = WhitelistEntry {
        id: app.new_id(),
        business: business.id,
        client_address_id: request.client_address_id,
        pair: request.pair,
        address: request.recipient.address,
        tag: request.recipient.tag,
        label: request.label,
        created_at: app.clock.now(),
    };
    let mut tx = app.store.begin().await?;
    if tx.insert_whitelisted(&entry, &hash).await? {
        if is_own {
            return Err(Refused::OwnAddress("address"));
        }
        if let Err(error) = tx.commit().await
            && !(error.is_unknown() && is_stored(app, &entry).await)
        {
            return Err(error.into());
        }
        return Ok(Created { body: whitelist_address(&entry), replayed: false });
    }
    match tx.whitelisted_by_client_id(business.id, &entry.client_address_id).await? {
        Some((known, known_hash)) if known_hash == hash => {
            Ok(Created { body: whitelist_address(&known), replayed: true })
        }
        _ => Err(Refused::Taken(ClientId::Address)),
    }
}

/// Asks the store after the answer to a commit was lost.
async fn is_stored(app: &App, entry: &WhitelistEntry) -> bool {
    matches!(app.store.is_whitelisted(entry.business, entry.id).await, Ok(true))
}
