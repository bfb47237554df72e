//! What the model knows of finality.

use std::collections::BTreeSet;

use checkout_gateway::service::payouts::final_check;

use super::coins::COINS;
use super::drive::Stage;
use super::model::{Model, Payment, Place, Transfer};
use crate::fixture::Look as _;

impl Model {
    /// Returns the highest height that was ever final.
    fn final_height(&self, coin: usize) -> u64 {
        (self.peaks[coin] + 1).saturating_sub(u64::from(self.scene.finality))
    }

    /// An honest chain never removes a final block.
    pub(super) fn possible_depth(&self, coin: usize, depth: u32) -> u32 {
        if !self.scene.is_honest {
            return depth;
        }
        let most = self.heights[coin].saturating_sub(self.final_height(coin));
        depth.min(u32::try_from(most).unwrap())
    }

    /// Whether the chain is honest and the transaction was ever final.
    pub(super) fn stays(&self, transfer: usize) -> bool {
        let Transfer { id, coin, .. } = &self.transfers[transfer];
        let last = self.final_height(*coin);
        let is_final = |place: Place| matches!(place, Place::Block(at) if at <= last);
        self.scene.is_honest && self.transfers.iter().any(|one| one.id == *id && is_final(one.place))
    }

    /// Whether the transfer is final now, as its node knows it.
    pub(super) fn is_final(&self, transfer: usize) -> bool {
        let transfer = &self.transfers[transfer];
        let Place::Block(at) = transfer.place else { return false };
        let head = self.heights[transfer.coin].saturating_sub(self.lags[transfer.coin]);
        (head + 1).saturating_sub(at) >= u64::from(self.scene.finality)
    }

    /// Whether the transfer may have been final. A chain that is not honest puts what was final into other blocks.
    pub(super) fn was_final(&self, transfer: usize) -> bool {
        let transfer = &self.transfers[transfer];
        !self.scene.is_honest
            || matches!(transfer.place, Place::Block(at) if at <= self.final_height(transfer.coin))
    }

    /// Nothing counts as final that never was.
    pub(super) fn pays_out_without(&mut self, shallow: BTreeSet<String>) {
        for deposit in self.payments.iter().flat_map(|payment| &payment.deposits) {
            let (at, output) = (deposit.transfer, self.transfers[deposit.transfer].output());
            let is_known = !deposit.is_confirmed() || shallow.contains(&output);
            assert!(is_known || self.was_final(at), "{output} counts as final");
        }
        self.shallow = shallow;
        self.pay_out();
    }

    /// Whether every confirmed deposit is final.
    pub(super) fn is_firm(&self, payment: &Payment) -> bool {
        let mut confirmed = payment.deposits.iter().filter(|deposit| deposit.is_confirmed());
        confirmed.all(|deposit| self.is_final(deposit.transfer))
    }
}

impl Stage {
    /// Outputs of which the gateway does not know that they are final.
    pub(super) async fn shallow(&self) -> BTreeSet<String> {
        let shallow = "SELECT transaction_id || ':' || output_index FROM settlements JOIN deposits ON deposits.id = deposit
             WHERE asked_at_height IS NOT NULL";
        self.world.database.texts(shallow).await.into_iter().map(|row| row[0].clone().unwrap()).collect()
    }

    /// The gateway asks all chains what is final.
    pub(super) async fn check_finality(&self) {
        for coin in &COINS {
            final_check::run(&self.world.app, coin.network).await.unwrap();
        }
    }
}
