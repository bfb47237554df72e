//! The callbacks that a merchant asks for.

use uuid::Uuid;

use super::{Kind, State};
use crate::page::Period;

/// A callback is listed if all that is given fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallbackFilter {
    pub state: Option<State>,
    pub kind: Option<Kind>,
    /// The deposit, the payment or the withdrawal.
    pub subject: Option<Uuid>,
    pub created: Period,
}
