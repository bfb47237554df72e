//! Authorises access to a payment, and reads its version.

use checkout_domain::access::token::Caller;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::Version;
use checkout_domain::ports::Stored;
use checkout_domain::ports::credentials::Known;

use crate::service::App;
use crate::service::access::authenticate;

/// The caller of a token, and the payment's version. `None` without a caller; no version if the payment does
/// not exist or the caller cannot access it.
pub async fn find(app: &App, token: &str, id: PaymentId) -> Stored<Option<(Known, Option<Version>)>> {
    let found = authenticate::caller_and_version(app, token, id).await?;
    Ok(found.map(|(known, version)| {
        (known, version.filter(|version| may_see(known.caller, id, version.business)))
    }))
}

/// The payment's version, if it exists and the caller can access it.
pub async fn version(app: &App, caller: Caller, id: PaymentId) -> Stored<Option<Version>> {
    let Some(found) = app.store.payment(id).await? else { return Ok(None) };
    let (business, window_end) = (found.payment.business, found.payment.window_end());
    Ok(may_see(caller, id, business).then_some(Version { business, number: found.version, window_end }))
}

/// Whether a caller can access a payment of a business.
pub fn may_see(caller: Caller, payment: PaymentId, business: BusinessId) -> bool {
    match caller {
        Caller::Organisation => true,
        Caller::Business(own) => own == business,
        Caller::Session { payment: own } => own == payment,
    }
}
