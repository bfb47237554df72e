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
    /// The first transfer of each sum.
    samples: Vec<Transfer>,
}

impl Dust {
    pub(super) fn add(&mut self, payment: PaymentId, transfer: &Transfer) {
        let sum =
            self.sums.entry((payment, transfer.output.network, transfer.currency)).or_insert_with(|| {
                self.samples.push(transfer.clone());
                DustSum::default()
            });
        sum.add(transfer);
    }

    pub(super) fn samples(&self) -> &[Transfer] {
        &self.samples
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
