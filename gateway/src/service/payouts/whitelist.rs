//! Whitelists an address for withdrawals.

use checkout_domain::access::token::Caller;
use checkout_domain::withdrawal::whitelist::WhitelistEntry;
use checkout_wire::whitelist_address::WhitelistedAddress;

use crate::render::whitelist_address::whitelist_address;
use crate::requests::fields::Fields;
use crate::requests::recipient;
use crate::requests::whitelist_address::NewEntry;
use crate::service::App;
use crate::service::businesses::resolve_business;
use crate::service::payouts::own_address;
use crate::service::refused::{ClientId, Created, Refused};

pub async fn add(
    app: &App,
    caller: Caller,
    mut body: Fields,
) -> Result<Created<WhitelistedAddress>, Refused> {
    let business = resolve_business::find(app, caller, &mut body).await?;
    let request = NewEntry::read(&mut body, &app.policy.environments);
    let (Some(business), Some(request)) = (business, request) else {
        return Err(Refused::Invalid(body.into_errors()));
    };
    recipient::refuse_untaken(&mut body, &business, request.pair);
    body.valid()?;
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
