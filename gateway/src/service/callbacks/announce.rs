//! Stores the callback of an event, in the transaction of the change that it reports.

use checkout_domain::business::Business;
use checkout_domain::callback::{Callback, State};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Stored;
use checkout_domain::ports::callbacks::CallbackTx;
use uuid::Uuid;

use crate::events::Event;
use crate::service::App;

/// Adds the callback of an event about `subject`, if the business wants it: once for both.
pub async fn announce<E: Event>(
    app: &App,
    tx: &mut dyn CallbackTx,
    business: BusinessId,
    subject: Uuid,
    event: E,
) -> Stored<()> {
    let Some(business) = app.store.business(business).await? else { return Ok(()) };
    match callback(app, &business, subject, || event) {
        Some(callback) => tx.put_callback(&callback).await,
        None => Ok(()),
    }
}

/// The callback, to be stored with others.
pub fn callback<E: Event>(
    app: &App,
    business: &Business,
    subject: Uuid,
    event: impl FnOnce() -> E,
) -> Option<Callback> {
    E::url(business)?;
    let (id, now) = (app.new_id(), app.clock.now());
    Some(Callback {
        id,
        business: business.id,
        kind: E::ABOUT.kind,
        subject,
        sequence: 0,
        body: serde_json::to_string(&event()).expect("texts and numbers are JSON"),
        created_at: now,
        state: State::Pending,
        attempts: 0,
        failures: 0,
        due_at: Some(now),
    })
}
