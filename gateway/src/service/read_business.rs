//! One business, for who may see it.

use uuid::Uuid;

use crate::domain::access::token::Caller;
use crate::domain::business::Business;
use crate::ports::Stored;
use crate::service::App;

/// `None` when there is none, and when it is somebody else's.
pub async fn read(app: &App, caller: Caller, id: Uuid) -> Stored<Option<Business>> {
    match caller {
        Caller::Organisation => app.store.business(id).await,
        Caller::Business(own) if own == id => app.store.business(id).await,
        Caller::Business(_) | Caller::Session { .. } => Ok(None),
    }
}
