//! Creates and withdraws counters. The secret of a link is shown once; its digest is stored.

use checkout_core::Decimal;
use checkout_domain::access::token::{self, TokenHash};
use checkout_domain::business::Business;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::{Random, Store, Stored, random_bytes};
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::sale::counter::Counter;
use uuid::Uuid;

use crate::service::payments::payment_request::unshown;
use crate::service::refused::{Refused, no_errors};

/// A valid request.
#[derive(Clone, Debug)]
pub struct NewCounter {
    pub title: String,
    pub fiat: Fiat,
    pub max: Decimal,
}

/// The counter and its secret.
pub async fn create(
    store: &dyn Store,
    business: &Business,
    new: NewCounter,
    id: Uuid,
    now: u64,
    random: &dyn Random,
) -> Result<(Counter, String), Refused> {
    if business.disabled {
        return Err(Refused::Disabled);
    }
    no_errors(unshown(business, Some(new.fiat)))?;
    let secret = token::from_random(token::COUNTER, random_bytes(random));
    let counter = Counter {
        id,
        business: business.id,
        title: new.title,
        fiat: new.fiat,
        max: new.max,
        secret: TokenHash::of(&secret),
        created_at: now,
        withdrawn_at: None,
    };
    let mut tx = store.begin().await?;
    tx.insert_counter(&counter).await?;
    tx.commit().await?;
    Ok((counter, secret))
}

/// `None` if the caller has no such counter. One that is withdrawn stays as it is.
pub async fn withdraw(
    store: &dyn Store,
    id: Uuid,
    is_own: impl FnOnce(BusinessId) -> bool + Send,
    now: u64,
) -> Stored<Option<Counter>> {
    let mut tx = store.begin().await?;
    let Some(mut counter) = tx.counter_to_sell(id).await? else { return Ok(None) };
    if !is_own(counter.business) {
        return Ok(None);
    }
    if counter.withdrawn_at.is_none() {
        counter.withdrawn_at = Some(now);
        tx.update_counter(&counter).await?;
        tx.commit().await?;
        tracing::info!(counter = %id, "a counter was withdrawn");
    }
    Ok(Some(counter))
}

/// The counter whose link has this secret; `None` if it is unknown or withdrawn.
pub async fn of_secret(store: &dyn Store, secret: &str) -> Stored<Option<Counter>> {
    if !secret.starts_with(token::COUNTER) {
        return Ok(None);
    }
    let found = store.counter_by_secret(&TokenHash::of(secret)).await?;
    Ok(found.filter(|counter| counter.withdrawn_at.is_none()))
}
