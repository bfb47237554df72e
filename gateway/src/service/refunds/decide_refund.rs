//! Decisions about a refund: where it goes, that it may go, or that it does not.

mod address;
mod approve;
mod cancel;
mod limits;
mod refuse;

use checkout_domain::access::token::Caller;
use checkout_domain::payment::refund_steps::NotNow;
use checkout_domain::ports::refunds::FoundRefund;
use checkout_wire::FieldError;
use uuid::Uuid;

use super::send_refund::Decided;
use crate::service::App;
use crate::service::refused::Refused;

pub use self::address::address;
pub(in crate::service) use self::address::give_address;
pub use self::approve::approve;
pub(in crate::service) use self::approve::let_go;
pub use self::cancel::cancel;
pub use self::refuse::{refuse, refuse_claim};

async fn find(app: &App, caller: Caller, id: Uuid) -> Result<FoundRefund, Refused> {
    let found = app.store.refund(id).await?.filter(|found| caller.acts_for(found.business));
    found.ok_or(Refused::NoRefund)
}

/// A disabled business sends nothing: its token may be stolen.
async fn refuse_disabled(app: &App, found: &FoundRefund) -> Result<(), Refused> {
    let business = app.store.business(found.business).await?;
    if business.is_some_and(|business| business.disabled) { Err(Refused::Disabled) } else { Ok(()) }
}

/// The answer to a decision about an automatic refund. `is_named`: by the request, in its field `address`.
fn check_kept(decided: Decided, is_named: bool) -> Result<(), Refused> {
    match decided {
        Decided::Kept(_) => Ok(()),
        Decided::BadAddress(why) if is_named => Err(FieldError::of("address", "bad_address", why).into()),
        Decided::NoDeposit | Decided::NotWaiting | Decided::BadAddress(_) => {
            Err(NotNow::NeedsNoAddress.into())
        }
        Decided::AnotherAmount(_) => Err(Refused::AddressChanged),
        Decided::OwnAddress if is_named => Err(Refused::OwnAddress("address")),
        Decided::OwnAddress => {
            Err(Refused::RefundState("would be sent to an account of this gateway: give it another address"))
        }
        Decided::NoSender => Err(NotNow::NeedsAddress.into()),
    }
}
