//! The business of a request: the token's, or the one selected by an organisation key.

use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;

use crate::requests::create_payment::read_business_id;
use crate::requests::fields::Fields;
use crate::service::App;
use crate::service::refused::Refused;

/// The business that `businessId` and the token agree on; records an error and returns `None` otherwise.
pub async fn find(app: &App, caller: Caller, fields: &mut Fields) -> Result<Option<Business>, Refused> {
    let id = match caller {
        Caller::Session { .. } => return Err(Refused::NotAllowed),
        Caller::Organisation => read_business_id(fields, true),
        Caller::Business(own) => {
            let named = read_business_id(fields, false);
            if named.is_some_and(|named| named != own) {
                unknown(fields);
            }
            Some(own)
        }
    };
    let business = match id {
        Some(id) => app.store.business(id).await?,
        None => None,
    };
    if business.is_none() && fields.is_valid() {
        unknown(fields);
    }
    Ok(business)
}

/// The same for what a disabled business must not do.
pub async fn find_enabled(
    app: &App,
    caller: Caller,
    fields: &mut Fields,
) -> Result<Option<Business>, Refused> {
    match find(app, caller, fields).await? {
        Some(business) if business.disabled => Err(Refused::Disabled),
        found => Ok(found),
    }
}

fn unknown(fields: &mut Fields) {
    fields.error("businessId", "unknown_business", "is not a business of yours");
}
