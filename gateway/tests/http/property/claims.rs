//! Addresses that an operator gives for refunds that wait.

use checkout_gateway::service::send_refund;

use super::coins::COINS;
use super::drive::Stage;
use super::refunds::CLAIMANT;
use crate::fixture::Look as _;

impl Stage {
    /// An operator gives a refund an address, whether it waits for one or not.
    pub(super) async fn claim(&mut self, deposit: usize) -> Result<(), String> {
        let mut all = self.model.all_deposits();
        let waits = |at: &(usize, usize)| {
            let refund = self.model.payments[at.0].deposits[at.1].refund.as_ref();
            refund.is_some_and(|refund| refund.waits)
        };
        if all.iter().any(waits) {
            all.retain(waits);
        }
        let Some(at) = all.get(deposit % all.len().max(1)).copied() else { return Ok(()) };
        let transfer = self.model.deposit(at).transfer;
        let (transaction, coin) =
            (self.model.transfers[transfer].id.clone(), self.model.transfers[transfer].coin);
        let row = self
            .world
            .database
            .texts(format!("SELECT id FROM deposits WHERE transaction_id = '{transaction}'"));
        let id = row.await[0][0].clone().unwrap().parse().unwrap();
        let app = &self.world.app;
        let to = Some((COINS[coin].people[CLAIMANT], None));
        let decided =
            send_refund::send(app.store.as_ref(), (app.new_id(), app.clock.now()), id, to).await.unwrap();
        let deposit = self.model.deposit(at);
        let waits = deposit.refund.as_ref().is_some_and(|refund| refund.waits);
        if matches!(decided, send_refund::Decided::Kept(_)) != waits {
            return Err(format!("waits: {waits}, but {decided:?}"));
        }
        if let Some(refund) = deposit.refund.as_mut().filter(|refund| refund.waits) {
            refund.waits = false;
            deposit.claimed = true;
        }
        Ok(())
    }
}
