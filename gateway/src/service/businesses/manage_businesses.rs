//! Businesses for organisation keys: created, changed and listed with all their settings.

use checkout_domain::access::actor::Actor;
use checkout_domain::business::Business;
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::rules::Rules;

use crate::requests::business::{BusinessChanges, Targets};
use crate::requests::fields::Fields;
use crate::service::App;
use crate::service::businesses::{create_business, update_business};

/// A business with the limits of its withdrawals.
pub type Managed = (Business, Rules);

/// A new business with its token.
pub async fn create(app: &App, changes: BusinessChanges) -> Stored<(Managed, String)> {
    let (id, now, random) = (BusinessId(app.new_id()), app.clock.now(), app.random.as_ref());
    let BusinessChanges { settings, rules } = changes;
    let (business, rules, token) =
        create_business::create(app.store.as_ref(), settings, rules, id, now, random).await?;
    Ok(((business, rules), token))
}

/// `None` if there is no such business.
pub async fn update(
    app: &App,
    by: &Actor,
    id: BusinessId,
    changes: BusinessChanges,
) -> Stored<Option<Managed>> {
    let BusinessChanges { settings, rules } = changes;
    update_business::update(app.store.as_ref(), id, settings, rules, (by, app.clock.now())).await
}

pub async fn find(app: &App, id: BusinessId) -> Stored<Option<Managed>> {
    let Some(business) = app.store.business(id).await? else { return Ok(None) };
    let rules = app.store.rules(id, app.clock.now()).await?;
    Ok(Some((business, rules)))
}

pub async fn list(app: &App, page: &Page) -> Stored<Vec<Managed>> {
    let mut all = Vec::new();
    for business in app.store.business_page(page).await? {
        let rules = app.store.rules(business.id, app.clock.now()).await?;
        all.push((business, rules));
    }
    Ok(all)
}

/// The result of `read`, by the rules of this gateway.
pub fn read<R>(
    app: &App,
    fields: &mut Fields,
    read: fn(&mut Fields, &Targets<'_>) -> Option<R>,
) -> Option<R> {
    let targets = Targets { sandbox: app.policy.sandbox, refusal: &|url| app.webhooks.refusal(url) };
    read(fields, &targets)
}
