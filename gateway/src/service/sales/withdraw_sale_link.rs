//! Withdraws a sale link: it sells nothing more. What was made by it can still be paid.

use checkout_domain::ids::BusinessId;
use checkout_domain::ports::sales::CountedLink;
use checkout_domain::ports::{Store, Stored};
use uuid::Uuid;

/// `None` if the caller has no such link. One that is withdrawn stays as it is.
pub async fn withdraw(
    store: &dyn Store,
    id: Uuid,
    is_own: impl FnOnce(BusinessId) -> bool + Send,
    now: u64,
) -> Stored<Option<CountedLink>> {
    let mut tx = store.begin().await?;
    let Some((mut link, taken)) = tx.sale_link_to_sell(id, now).await? else { return Ok(None) };
    if !is_own(link.business) {
        return Ok(None);
    }
    if link.withdrawn_at.is_none() {
        link.withdrawn_at = Some(now);
        tx.update_sale_link(&link).await?;
        tx.commit().await?;
        tracing::info!(link = %id, "a sale link was withdrawn");
    }
    Ok(Some((link, taken)))
}
