//! Access to payments and their versions.

use uuid::Uuid;

use crate::domain::access::token::Caller;
use crate::domain::payment::Version;
use crate::ports::Stored;
use crate::service::{App, authenticate};

/// Returns the caller of a token and the version of a payment. Returns `None` without a valid caller. There is no
/// version if the payment does not exist or the caller may not see it.
pub async fn find(app: &App, token: &str, id: Uuid) -> Stored<Option<(Caller, Option<Version>)>> {
    let found = authenticate::caller_and_version(app, token, id).await?;
    Ok(found
        .map(|(caller, version)| (caller, version.filter(|version| may_see(caller, id, version.business)))))
}

/// Returns whether a caller may see a payment of a business.
pub fn may_see(caller: Caller, payment: Uuid, business: Uuid) -> bool {
    match caller {
        Caller::Organisation => true,
        Caller::Business(own) => own == business,
        Caller::Session { payment: own } => own == payment,
    }
}
