//! Reads a business, with authorisation.

use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::service::App;

/// Returns `None` if it does not exist or the caller cannot access it.
pub async fn read(app: &App, caller: Caller, id: Uuid) -> Stored<Option<Business>> {
    if caller.acts_for(id) { app.store.business(id).await } else { Ok(None) }
}
