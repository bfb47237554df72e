//! The dust of a batch. It is stored with the cursor of its chain, so that it is counted once.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_core::{Currency, Network};
use checkout_domain::chain::Transfer;
use checkout_domain::payment::dust::DustSum;
use checkout_domain::ports::Stored;
use checkout_domain::ports::transfers::TransferTx;

#[derive(Default)]
pub(super) struct Dust {
    sums: BTreeMap<(PaymentId, Network, Currency), DustSum>,
}

impl Dust {
    pub(super) fn add(&mut self, payment: PaymentId, transfer: &Transfer) {
        self.sums.entry((payment, transfer.output.network, transfer.currency)).or_default().add(transfer);
    }

    pub(super) fn payments(&self) -> impl Iterator<Item = PaymentId> {
        self.sums.keys().map(|(payment, ..)| *payment)
    }

    pub(super) async fn store(&self, tx: &mut (dyn TransferTx + '_)) -> Stored<()> {
        for ((payment, network, currency), sum) in &self.sums {
            tx.add_dust(*payment, *network, *currency, sum).await?;
        }
        Ok(())
    }
}
