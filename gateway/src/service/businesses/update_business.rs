//! Changes a business, also while gateways run.

use checkout_domain::access::actor::Actor;
use checkout_domain::business::Business;
use checkout_domain::business::settings::Settings;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::{Store, Stored};
use checkout_domain::withdrawal::looser::Looser;
use checkout_domain::withdrawal::rules::{RuleChanges, Rules};

/// The changed business and the limits of its withdrawals, of which looser ones may wait; `None` if it does not exist.
pub async fn update(
    store: &dyn Store,
    id: BusinessId,
    settings: Settings,
    changes: RuleChanges,
    (by, now): (&Actor, u64),
) -> Stored<Option<(Business, Rules)>> {
    let mut tx = store.begin().await?;
    let Some(mut business) = tx.business(id).await? else { return Ok(None) };
    if let Some(logo) = settings.apply(&mut business) {
        tx.put_logo(id, logo.as_ref()).await?;
    }
    tx.put_business(&business).await?;
    let mut limits = tx.limits(id).await?;
    if changes != RuleChanges::default() {
        limits = limits.change(changes, by, now);
        tx.put_limits(id, &limits).await?;
    }
    tx.commit().await?;
    for Looser { limit, value, by, .. } in limits.looser.iter().filter(|looser| looser.at == now) {
        tracing::warn!(business = %id, limit = limit.as_str(), value = value.map(tracing::field::display), %by,
            "a looser limit was asked for: it holds after 24 hours, unless somebody sets the limit again");
    }
    let rules = limits.in_force(now);
    Ok(Some((business, rules)))
}
