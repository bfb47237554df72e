//! The refunds that a merchant asks for, of all payments.

use crate::ids::PaymentId;
use checkout_core::{Currency, Network};
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::RefundState;

use crate::page::Period;

/// A refund is listed if all that is given fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefundFilter {
    pub payment: Option<PaymentId>,
    /// Automatic refunds have none.
    pub client_refund_id: Option<String>,
    pub status: Option<RefundState>,
    pub waits: Option<RefundWait>,
    pub currency: Option<Currency>,
    pub network: Option<Network>,
    pub created: Period,
}
