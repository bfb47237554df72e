//! Changes a business, also while gateways run.

use checkout_domain::business::Business;
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::{Store, Stored};
use uuid::Uuid;

/// The changed business; `None` if it does not exist.
pub async fn update(store: &dyn Store, id: Uuid, settings: Settings) -> Stored<Option<Business>> {
    let mut tx = store.begin().await?;
    let Some(mut business) = tx.business(id).await? else { return Ok(None) };
    if let Some(logo) = settings.apply(&mut business) {
        tx.put_logo(id, logo.as_ref()).await?;
    }
    tx.put_business(&business).await?;
    tx.commit().await?;
    Ok(Some(business))
}
