//! Reads one business, if the caller may see it.

use uuid::Uuid;

use crate::domain::access::token::Caller;
use crate::domain::business::Business;
use crate::ports::Stored;
use crate::service::App;

/// Returns `None` if the business does not exist or the caller may not see it.
pub async fn read(app: &App, caller: Caller, id: Uuid) -> Stored<Option<Business>> {
    match caller {
        Caller::Organisation => app.store.business(id).await,
        Caller::Business(own) if own == id => app.store.business(id).await,
        Caller::Business(_) | Caller::Session { .. } => Ok(None),
    }
}
