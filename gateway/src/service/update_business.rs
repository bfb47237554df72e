//! Changes a business, also while gateways run.

use checkout_domain::business::Business;
use checkout_domain::business::settings::Settings;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::{Store, Stored};
use checkout_domain::withdrawal::rules::{RuleChanges, Rules};

/// The changed business and the limits of its withdrawals; `None` if it does not exist.
pub async fn update(
    store: &dyn Store,
    id: BusinessId,
    settings: Settings,
    changes: RuleChanges,
) -> Stored<Option<(Business, Rules)>> {
    let mut tx = store.begin().await?;
    let Some(mut business) = tx.business(id).await? else { return Ok(None) };
    if let Some(logo) = settings.apply(&mut business) {
        tx.put_logo(id, logo.as_ref()).await?;
    }
    tx.put_business(&business).await?;
    let rules = changes.apply(tx.rules(id).await?);
    if changes != RuleChanges::default() {
        tx.put_rules(id, &rules).await?;
    }
    tx.commit().await?;
    Ok(Some((business, rules)))
}
