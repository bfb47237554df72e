//! Payments of the transfers that are being recorded. One payment can get thousands of transfers, in many changes:
//! with the sums of its deposits only those of the transfers are read. Without, it is read once for all of them, and again only
//! if something else changed it meanwhile.

use std::collections::BTreeMap;

use checkout_core::{Decimal, Network};
use checkout_domain::business::Business;
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::settlement::Booked;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::ports::{Stored, Tx};
use uuid::Uuid;

use super::at_once::AtOnce;
use super::parts::Pace;
use crate::service::App;

/// Payments with fewer deposits are read again.
const WORTHWHILE: usize = 20;

/// Most deposits in memory.
const MOST: usize = 50_000;

pub(super) struct LoadedPayment {
    pub(super) record: PaymentWithDeposits,
    pub(super) booked: BTreeMap<Uuid, Booked>,
    /// The indices of the deposits.
    pub(super) places: BTreeMap<OutputId, usize>,
    /// Those of all deposits, if only some were read.
    pub(super) sums: Option<DepositSums>,
}

impl LoadedPayment {
    fn new(record: PaymentWithDeposits, booked: BTreeMap<Uuid, Booked>, sums: Option<DepositSums>) -> Self {
        let place = |(at, deposit): (usize, &Deposit)| (deposit.output.clone(), at);
        let places = record.deposits.iter().enumerate().map(place).collect();
        Self { record, booked, places, sums }
    }

    /// With all deposits.
    pub(super) async fn whole(tx: &mut dyn Tx, payment: PaymentId) -> Stored<Option<Self>> {
        let Some(record) = tx.payment(payment).await? else { return Ok(None) };
        let booked = tx.booked(payment).await?;
        Ok(Some(Self::new(record, booked, None)))
    }
}

#[derive(Default)]
pub(super) struct LoadedPayments {
    kept: BTreeMap<PaymentId, LoadedPayment>,
    deposits: usize,
    /// Read for the current change.
    loaded: BTreeMap<PaymentId, LoadedPayment>,
    businesses: BTreeMap<BusinessId, Option<Business>>,
    /// The value of their instant deposits that are not confirmed, during the current change.
    waiting: BTreeMap<BusinessId, Decimal>,
    /// Since the chain began to be read.
    at_once: BTreeMap<PaymentId, AtOnce>,
    pub(super) pace: Pace,
}

impl LoadedPayments {
    /// Reads the payments of these transfers, which are locked, with few statements.
    pub(super) async fn load(
        &mut self,
        tx: &mut dyn Tx,
        owned: &BTreeMap<PaymentId, Vec<&Transfer>>,
    ) -> Stored<()> {
        self.loaded.clear();
        self.businesses.clear();
        self.waiting.clear();
        let mut unknown: Vec<PaymentId> =
            owned.keys().copied().filter(|payment| !self.kept.contains_key(payment)).collect();
        let mut sums = tx.deposit_sums(&unknown).await?;
        let outputs: Vec<&OutputId> = (owned.iter().filter(|(payment, _)| sums.contains_key(payment)))
            .flat_map(|(_, transfers)| transfers.iter().map(|transfer| &transfer.output))
            .collect();
        let with_sums: Vec<PaymentId> = sums.keys().copied().collect();
        for payment in tx.payments_with(&with_sums, &outputs).await? {
            // After another quote, they have to be made anew.
            let sums = sums.remove(&payment.payment.id).filter(|sums| sums.quotes == payment.quotes.len());
            if sums.is_some() {
                unknown.retain(|id| *id != payment.payment.id);
                self.loaded.insert(payment.payment.id, LoadedPayment::new(payment, BTreeMap::new(), sums));
            }
        }
        let deposits = self.loaded.values().flat_map(|loaded| &loaded.record.deposits);
        let deposits: Vec<Uuid> = deposits.map(|deposit| deposit.id).collect();
        let mut booked = tx.booked_deposits(&deposits).await?;
        booked.append(&mut tx.booked_of(&unknown).await?);
        let mut own = |payment: &PaymentWithDeposits| {
            payment.deposits.iter().filter_map(|deposit| booked.remove_entry(&deposit.id)).collect()
        };
        for loaded in self.loaded.values_mut() {
            loaded.booked = own(&loaded.record);
        }
        for payment in tx.payments(&unknown).await? {
            let own = own(&payment);
            self.loaded.insert(payment.payment.id, LoadedPayment::new(payment, own, None));
        }
        Ok(())
    }

    /// A business as it is during the current change.
    pub(super) async fn business(&mut self, app: &App, id: BusinessId) -> Stored<Option<Business>> {
        if let Some(known) = self.businesses.get(&id) {
            return Ok(known.clone());
        }
        let business = app.store.business(id).await?;
        self.businesses.insert(id, business.clone());
        Ok(business)
    }

    /// What a business with a limit can lose now; zero without one. The business is locked.
    pub(super) async fn waiting(
        &mut self,
        app: &App,
        tx: &mut dyn Tx,
        business: &Business,
    ) -> Stored<Decimal> {
        if business.instant_deposit_limit.is_none() {
            return Ok(Decimal::ZERO);
        }
        if let Some(known) = self.waiting.get(&business.id) {
            return Ok(*known);
        }
        // What waits on a network that was taken out is never read again.
        let networks: Vec<Network> = app.chains.keys().copied().collect();
        let waiting = tx.waiting_instant(business.id, &networks).await?;
        self.waiting.insert(business.id, waiting);
        Ok(waiting)
    }

    pub(super) fn note_waiting(&mut self, business: BusinessId, waiting: Decimal) {
        self.waiting.insert(business, waiting);
    }

    pub(super) fn at_once(&self, payment: PaymentId) -> AtOnce {
        self.at_once.get(&payment).cloned().unwrap_or_default()
    }

    pub(super) fn note_at_once(&mut self, payment: PaymentId, at_once: AtOnce) {
        // A rescan: no block has so many.
        if self.at_once.len() >= MOST {
            self.at_once.clear();
        }
        self.at_once.insert(payment, at_once);
    }

    /// A payment as it is stored, locked until the end of the transaction.
    pub(super) async fn take(
        &mut self,
        tx: &mut dyn Tx,
        payment: PaymentId,
    ) -> Stored<Option<LoadedPayment>> {
        if let Some(loaded) = self.loaded.remove(&payment) {
            return Ok(Some(loaded));
        }
        if let Some(kept) = self.kept.remove(&payment) {
            self.deposits -= kept.record.deposits.len();
            if tx.payment_version(payment).await? == Some(kept.record.version) {
                return Ok(Some(kept));
            }
        }
        LoadedPayment::whole(tx, payment).await
    }

    /// Keeps what this transaction stored. After a failed commit, all of them are wrong.
    pub(super) async fn keep(&mut self, tx: &mut dyn Tx, mut loaded: LoadedPayment) -> Stored<()> {
        let deposits = loaded.record.deposits.len();
        if loaded.sums.is_some() || !(WORTHWHILE..=MOST).contains(&deposits) {
            return Ok(());
        }
        if self.deposits + deposits > MOST {
            (self.kept, self.deposits) = (BTreeMap::new(), 0);
        }
        let id = loaded.record.payment.id;
        if let Some(version) = tx.payment_version(id).await? {
            loaded.record.version = version;
            self.deposits += deposits;
            self.kept.insert(id, loaded);
        }
        Ok(())
    }
}
