//! A payout's change with all that follows from it, in one transaction.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::ports::{Stored, Tx};

use crate::service::App;
use crate::service::callbacks::announce_events;

pub(super) struct Changed {
    pub(super) tx: Box<dyn Tx>,
    /// The payment that it refunds, as it was.
    pub(super) before: Option<PaymentWithDeposits>,
    /// As it is stored.
    pub(super) payout: Payout,
}

impl Changed {
    /// `None`, without a change, if it is in no state for `next`, or was changed since it was read. All changes lock
    /// the payment and the business before the payout.
    pub(super) async fn of(app: &App, next: Option<Payout>) -> Stored<Option<Self>> {
        let Some(next) = next else { return Ok(None) };
        let mut tx = app.store.begin().await?;
        let before = refunded(tx.as_mut(), &next).await?;
        tx.business(next.business).await?;
        let payout = tx.save_payout(next).await?;
        Ok(payout.map(|payout| Self { tx, before, payout }))
    }

    /// Stores the event of a withdrawal; of a refund those of its payment.
    pub(super) async fn tell(&mut self, app: &App, event: EventType) -> Stored<()> {
        let Self { tx, before, payout } = self;
        match before {
            Some(before) => announce_events::since(app, tx.as_mut(), before).await,
            None if payout.purpose == Purpose::Withdrawal => {
                announce_events::withdrawal(app, tx.as_mut(), payout.business, payout.id, event).await
            }
            None => Ok(()),
        }
    }

    pub(super) async fn commit(self) -> Stored<Payout> {
        self.tx.commit().await?;
        Ok(self.payout)
    }
}

/// The payment that a payout refunds, locked before the payout.
pub(super) async fn refunded(tx: &mut dyn Tx, payout: &Payout) -> Stored<Option<PaymentWithDeposits>> {
    if !payout.purpose.has_payment() {
        return Ok(None);
    }
    let Some(payment) = tx.payment_of_refund(payout.id).await? else { return Ok(None) };
    tx.payment(payment).await
}
