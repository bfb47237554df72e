//! Payments of the transfers that are being recorded. One payment can get thousands of transfers, in many changes:
//! it is read once for all of them, and again only if something else changed it meanwhile.

use std::collections::BTreeMap;

use checkout_domain::business::Business;
use checkout_domain::chain::OutputId;
use checkout_domain::ledger::settlement::Booked;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::{Stored, Tx};
use uuid::Uuid;

use crate::service::App;

/// Payments with fewer deposits are read again.
const WORTHWHILE: usize = 20;

/// Most deposits in memory.
const MOST: usize = 50_000;

pub(super) struct Record {
    pub(super) with_deposits: PaymentWithDeposits,
    pub(super) booked: BTreeMap<Uuid, Booked>,
    /// The indices of the deposits.
    pub(super) places: BTreeMap<OutputId, usize>,
}

impl Record {
    fn new(with_deposits: PaymentWithDeposits, booked: BTreeMap<Uuid, Booked>) -> Self {
        let place = |(at, deposit): (usize, &Deposit)| (deposit.output.clone(), at);
        let places = with_deposits.deposits.iter().enumerate().map(place).collect();
        Self { with_deposits, booked, places }
    }
}

#[derive(Default)]
pub(super) struct Records {
    kept: BTreeMap<Uuid, Record>,
    deposits: usize,
    /// Read for the current change.
    loaded: BTreeMap<Uuid, Record>,
    businesses: BTreeMap<Uuid, Option<Business>>,
}

impl Records {
    /// Reads the payments of a change, which are locked, with few statements.
    pub(super) async fn load(&mut self, tx: &mut dyn Tx, payments: &[Uuid]) -> Stored<()> {
        self.loaded.clear();
        self.businesses.clear();
        let unknown: Vec<Uuid> =
            payments.iter().copied().filter(|payment| !self.kept.contains_key(payment)).collect();
        let mut booked = tx.booked_of(&unknown).await?;
        for payment in tx.payments(&unknown).await? {
            let own =
                payment.deposits.iter().filter_map(|deposit| booked.remove_entry(&deposit.id)).collect();
            self.loaded.insert(payment.payment.id, Record::new(payment, own));
        }
        Ok(())
    }

    /// A business as it is during the current change.
    pub(super) async fn business(&mut self, app: &App, id: Uuid) -> Stored<Option<Business>> {
        if let Some(known) = self.businesses.get(&id) {
            return Ok(known.clone());
        }
        let business = app.store.business(id).await?;
        self.businesses.insert(id, business.clone());
        Ok(business)
    }

    /// A payment as it is stored, locked until the end of the transaction.
    pub(super) async fn take(&mut self, tx: &mut dyn Tx, payment: Uuid) -> Stored<Option<Record>> {
        if let Some(loaded) = self.loaded.remove(&payment) {
            return Ok(Some(loaded));
        }
        if let Some(kept) = self.kept.remove(&payment) {
            self.deposits -= kept.with_deposits.deposits.len();
            if tx.payment_version(payment).await? == Some(kept.with_deposits.version) {
                return Ok(Some(kept));
            }
        }
        let Some(with_deposits) = tx.payment(payment).await? else { return Ok(None) };
        let booked = tx.booked(payment).await?;
        Ok(Some(Record::new(with_deposits, booked)))
    }

    /// Keeps what this transaction stored. After a failed commit, all of them are wrong.
    pub(super) async fn keep(&mut self, tx: &mut dyn Tx, mut record: Record) -> Stored<()> {
        let deposits = record.with_deposits.deposits.len();
        if !(WORTHWHILE..=MOST).contains(&deposits) {
            return Ok(());
        }
        if self.deposits + deposits > MOST {
            *self = Self::default();
        }
        let id = record.with_deposits.payment.id;
        if let Some(version) = tx.payment_version(id).await? {
            record.with_deposits.version = version;
            self.deposits += deposits;
            self.kept.insert(id, record);
        }
        Ok(())
    }
}
