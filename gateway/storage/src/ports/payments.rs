//! The port of payments.

use std::collections::BTreeMap;

use async_trait::async_trait;
use checkout_core::{Currency, Decimal, Network};
use checkout_domain::chain::OutputId;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_filter::DepositFilter;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::filter::PaymentFilter;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Quote};
use checkout_domain::ports::payments::{DepositPage, ListedDeposit, PaymentStore, PaymentTx};
use checkout_domain::ports::{NewPayment, Stored};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::conditions::first_id_of;
use crate::statements::locks;
use crate::statements::row::int;
use crate::{Database, PAGE, locked, pages, query, rows};

#[async_trait]
impl PaymentStore for Database {
    async fn add_payment(&self, new: NewPayment) -> Stored<bool> {
        self.insert_batch.add(new).await
    }

    async fn payment(&self, id: PaymentId) -> Stored<Option<PaymentWithDeposits>> {
        // Reads both tables in one snapshot, so that the deposits match the version.
        let mut snapshot = self.readers.snapshot().await?;
        let payment = query("SELECT * FROM payments WHERE id = $1");
        rows::payment_with_deposits::read(&mut snapshot, payment, id).await
    }

    async fn deposits(&self, payment: PaymentId, page: &Page) -> Stored<Option<DepositPage>> {
        let mut snapshot = self.readers.snapshot().await?;
        pages::payment_deposits::read(&mut snapshot, payment, page).await
    }

    async fn payments(
        &self,
        business: BusinessId,
        filter: &PaymentFilter,
        page: &Page,
    ) -> Stored<Vec<PaymentWithDeposits>> {
        let mut snapshot = self.readers.snapshot().await?;
        pages::payments::read(&mut snapshot, business, filter, page).await
    }

    async fn is_payment_of(&self, business: BusinessId, id: PaymentId) -> Stored<bool> {
        let own = "SELECT id FROM payments WHERE id = $1 AND business = $2";
        self.has(own, id.to_string(), business).await
    }

    async fn listed_deposits(
        &self,
        business: BusinessId,
        filter: &DepositFilter,
        page: &Page,
    ) -> Stored<Vec<ListedDeposit>> {
        let mut snapshot = self.readers.snapshot().await?;
        pages::deposits::read(&mut snapshot, business, filter, page).await
    }

    async fn is_deposit_of(&self, business: BusinessId, id: Uuid) -> Stored<bool> {
        let own = "SELECT id FROM deposits WHERE id = $1 AND business = $2";
        self.has(own, id.to_string(), business).await
    }

    async fn paid_pairs(
        &self,
        business: BusinessId,
        before: PaymentId,
        since: u64,
        until: u64,
    ) -> Stored<BTreeMap<(Currency, Network), u64>> {
        // Two statuses, each by the index: the last 200 are enough for an order.
        query(
            "SELECT currency, network, COUNT(*) AS payments FROM (
                 SELECT * FROM (
                     SELECT id, currency, network, settled_at FROM payments
                     WHERE business = $1 AND status = 'DEPOSITED' AND id < $2
                     ORDER BY id DESC LIMIT 200
                 ) AS part
                 UNION ALL
                 SELECT * FROM (
                     SELECT id, currency, network, settled_at FROM payments
                     WHERE business = $1 AND status = 'OVERPAID' AND id < $2
                     ORDER BY id DESC LIMIT 200
                 ) AS part
             ) AS part
             WHERE id >= $3 AND settled_at <= $4
             GROUP BY currency, network",
        )
        .bind(business)
        .bind(before)
        .bind(first_id_of(since))
        .bind(until)
        .read_all(&self.readers, |row| {
            Ok(((row.parsed("currency")?, row.parsed("network")?), row.number("payments")?))
        })
        .await
    }

    async fn sent_fees(
        &self,
        business: BusinessId,
        since: u64,
        until: u64,
    ) -> Stored<BTreeMap<(Currency, Network), Vec<Decimal>>> {
        let rows = query(
            "SELECT currency, network, fee FROM deposits
             WHERE business = $1 AND id >= $2 AND id < $3 AND state = 'CONFIRMED'
             ORDER BY id DESC LIMIT 200",
        )
        .bind(business)
        .bind(first_id_of(since))
        .bind(first_id_of(until))
        .fetch_all(&self.readers)
        .await?;
        let mut fees: BTreeMap<_, Vec<Decimal>> = BTreeMap::new();
        for row in rows {
            let pair = (row.parsed("currency")?, row.parsed("network")?);
            fees.entry(pair).or_default().push(row.decimal("fee")?);
        }
        Ok(fees)
    }

    async fn overdue(&self, now: u64, after: Option<(u64, PaymentId)>) -> Stored<Vec<(u64, PaymentId)>> {
        let (end, id) = after.map_or((-1, String::new()), |(end, id)| (int(end), id.to_string()));
        query(
            "SELECT window_end, id FROM payments
             WHERE status IN ('NEW', 'PENDING', 'AWAITING') AND window_end <= $1
                 AND (window_end > $2 OR (window_end = $2 AND id > $3))
             ORDER BY window_end, id LIMIT $4",
        )
        .bind(now)
        .bind(end)
        .bind(id)
        .bind(PAGE)
        .read_all(&self.readers, |row| Ok((row.number("window_end")?, row.parsed("id")?)))
        .await
    }
}

impl Database {
    /// `text` selects rows with this id of the business.
    async fn has(&self, text: &'static str, id: String, business: BusinessId) -> Stored<bool> {
        query(text).bind(id).bind(business).finds(&self.readers).await
    }
}

#[async_trait]
impl PaymentTx for SqlTx {
    async fn payment_by_client_id(
        &mut self,
        business: BusinessId,
        id: &str,
    ) -> Stored<Option<(PaymentId, String)>> {
        query("SELECT id, request_hash FROM payments WHERE business = $1 AND client_payment_id = $2")
            .bind(business)
            .bind(id)
            .read_first(self.now().await?, |row| Ok((row.parsed("id")?, row.text("request_hash")?)))
            .await
    }

    async fn insert_payment(&mut self, payment: &Payment, request_hash: &str) -> Stored<bool> {
        Ok(!rows::payment::insert(self.now().await?, &[(payment, request_hash)]).await?.is_empty())
    }

    async fn payment(&mut self, id: PaymentId) -> Stored<Option<PaymentWithDeposits>> {
        let payment = query(locked!("SELECT * FROM payments WHERE id = $1", "FOR NO KEY UPDATE"));
        rows::payment_with_deposits::read(self.now().await?, payment, id).await
    }

    async fn payment_to_quote(&mut self, id: PaymentId) -> Stored<Option<(PaymentWithDeposits, usize)>> {
        let text =
            locked!("SELECT * FROM payments WHERE id = $1 AND rate_type = 'FLOATING'", "FOR NO KEY UPDATE");
        let floating = query(text).bind(id).fetch_optional(self.now().await?).await?;
        if let Some(row) = floating
            && let Some(found) = rows::payment_with_deposits::read_last(self.now().await?, &row, id).await?
        {
            return Ok(Some(found));
        }
        let whole = self.payment(id).await?;
        Ok(whole.map(|record| {
            let quotes = record.quotes.len();
            (record, quotes)
        }))
    }

    async fn payments(&mut self, ids: &[PaymentId]) -> Stored<Vec<PaymentWithDeposits>> {
        rows::payment_with_deposits::read_all(self.now().await?, ids, None).await
    }

    async fn payments_with(
        &mut self,
        ids: &[PaymentId],
        outputs: &[&OutputId],
    ) -> Stored<Vec<PaymentWithDeposits>> {
        rows::payment_with_deposits::read_all(self.now().await?, ids, Some(outputs)).await
    }

    /// Reads what is stored: nothing of the business is collected yet.
    async fn waiting_instant(&mut self, business: BusinessId, networks: &[Network]) -> Stored<Decimal> {
        locks::hold_balances(self.as_stored(), business).await?;
        let text = "SELECT network, uniform_amount FROM deposits
                    WHERE business = $1 AND state IN ('UNCONFIRMED', 'INCLUDED') AND instant = 1 AND screening <> 'REFUSED'";
        let waiting = query(text).bind(business);
        let waiting: Vec<(Network, Decimal)> = waiting
            .read_all(self.as_stored(), |row| Ok((row.parsed("network")?, row.decimal("uniform_amount")?)))
            .await?;
        let waiting = waiting.into_iter().filter(|(network, _)| networks.contains(network));
        Ok(waiting.fold(Decimal::ZERO, |sum, (_, value)| sum.saturating_add(value)))
    }

    async fn deposit_sums(&mut self, payments: &[PaymentId]) -> Stored<BTreeMap<PaymentId, DepositSums>> {
        rows::deposit_sums::of_payments(self.now().await?, payments).await
    }

    async fn put_deposit_sums(&mut self, payment: PaymentId, sums: &DepositSums) -> Stored<()> {
        if let Some(later) = self.later() {
            later.sums.insert(payment, sums.clone());
            return Ok(());
        }
        rows::deposit_sums::put(self.now().await?, &[(payment, sums)]).await
    }

    async fn payment_version(&mut self, id: PaymentId) -> Stored<Option<u64>> {
        query(locked!("SELECT version FROM payments WHERE id = $1", "FOR NO KEY UPDATE"))
            .bind(id)
            .read_first(self.now().await?, |row| row.number("version"))
            .await
    }

    async fn update_payment(&mut self, payment: &Payment) -> Stored<()> {
        if let Some(later) = self.later() {
            later.payments.insert(payment.id, payment.clone());
            return Ok(());
        }
        rows::payment::update(self.now().await?, std::slice::from_ref(&payment)).await
    }

    async fn insert_quote(&mut self, payment: PaymentId, place: usize, quote: &Quote) -> Stored<()> {
        rows::quote::insert(self.now().await?, payment, place, quote).await?;
        // One of the same pair can leave all columns of its payment as they are.
        query("UPDATE payments SET version = version + 1 WHERE id = $1")
            .bind(payment)
            .run(self.now().await?)
            .await
    }

    async fn insert_deposits(
        &mut self,
        payment: PaymentId,
        business: BusinessId,
        deposits: &[Deposit],
    ) -> Stored<()> {
        if let Some(later) = self.later() {
            let rows = deposits.iter().map(|deposit| (payment, business, deposit.clone()));
            later.new_deposits.extend(rows);
            return Ok(());
        }
        let rows: Vec<_> = deposits.iter().map(|deposit| (payment, business, deposit)).collect();
        rows::deposit::insert(self.now().await?, &rows).await
    }

    async fn update_deposit(&mut self, deposit: &Deposit) -> Stored<()> {
        if let Some(later) = self.later() {
            later.deposits.insert(deposit.id, deposit.clone());
            return Ok(());
        }
        rows::deposit::update(self.now().await?, std::slice::from_ref(&deposit)).await
    }
}
