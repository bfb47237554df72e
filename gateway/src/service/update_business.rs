//! Changes a business, also while gateways run.

use checkout_domain::business::Business;
use checkout_domain::business::changes::Changes;
use checkout_domain::ports::{Store, Stored};
use uuid::Uuid;

/// The changed business; `None` if it does not exist.
pub async fn update(store: &dyn Store, id: Uuid, changes: Changes) -> Stored<Option<Business>> {
    let mut tx = store.begin().await?;
    let Some(mut business) = tx.business(id).await? else { return Ok(None) };
    if let Some(logo) = &changes.logo {
        tx.put_logo(id, logo.as_ref()).await?;
    }
    changes.apply(&mut business);
    tx.put_business(&business).await?;
    tx.commit().await?;
    Ok(Some(business))
}
