//! The port of payouts.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use checkout_core::{Amount, Decimal, Network};
use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::payout::hold::{restored_sequence, restored_signed};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::settlement::Booked;
use checkout_domain::page::Page;
use checkout_domain::payment::refund::Refund;
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::Sequences;
use checkout_domain::ports::payouts::{PayoutStore, PayoutTx};
use checkout_domain::ports::settings::SettingStore as _;
use checkout_domain::withdrawal::filter::WithdrawalFilter;
use checkout_domain::withdrawal::may_leave::Why;
use checkout_domain::withdrawal::{SCREENED_FOR, Withdrawal};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::rows::payout::selected;
use crate::statements::locks;
use crate::{Database, On, PAGE, Transaction, locked, pages, query, query_list, rows};

const REFUNDED: &str = "SELECT payment FROM refunds WHERE payout = $1";

#[async_trait]
impl PayoutStore for Database {
    async fn open_payouts(&self, on: Option<Network>, after: Option<Uuid>) -> Stored<Vec<Payout>> {
        query(selected!(
            "WHERE id IN (
                 SELECT * FROM (
                     SELECT id FROM payouts
                     WHERE state IN ('WAITING', 'SIGNED', 'SENT', 'CONFIRMED') AND id > $1 AND ($2 = '' OR network = $2)
                     UNION ALL
                     SELECT id FROM payouts
                     WHERE hold = 'SENT_BY' AND state = 'UNADDRESSED' AND id > $1 AND ($2 = '' OR network = $2)
                 ) AS opened ORDER BY id LIMIT $3
             ) ORDER BY id"
        ))
        .bind(after.map_or_else(String::new, |id| id.to_string()))
        .bind(on.map_or("", |network| network.code()))
        .bind(PAGE)
        .read_all(&self.readers, rows::payout::read)
        .await
    }

    async fn payout(&self, id: Uuid) -> Stored<Option<Payout>> {
        query(selected!("WHERE id = $1")).bind(id).read_first(&self.readers, rows::payout::read).await
    }

    async fn unscreened_withdrawals(&self, now: u64, after: Option<Uuid>) -> Stored<Vec<Payout>> {
        query(selected!(
            "JOIN withdrawals ON withdrawals.id = payouts.id
             WHERE state = 'WAITING' AND COALESCE(screened_at, 0) <= $3 AND payouts.id > $1
                 AND COALESCE(hold, '') NOT IN ('HELD', 'SENT_BY')
             ORDER BY payouts.id LIMIT $2"
        ))
        .bind(after.map_or_else(String::new, |id| id.to_string()))
        .bind(PAGE)
        .bind(now.saturating_sub(SCREENED_FOR))
        .read_all(&self.readers, rows::payout::read)
        .await
    }

    async fn is_screened(&self, withdrawal: Uuid, now: u64) -> Stored<bool> {
        query("SELECT id FROM withdrawals WHERE id = $1 AND screened_at > $2")
            .bind(withdrawal)
            .bind(now.saturating_sub(SCREENED_FOR))
            .finds(&self.readers)
            .await
    }

    async fn pending_payouts(&self) -> Stored<Vec<Payout>> {
        let pending = selected!("WHERE state IN ('SIGNED', 'SENT') ORDER BY id");
        query(pending).read_all(&self.readers, rows::payout::read).await
    }

    async fn capped_payouts(&self) -> Stored<u64> {
        let capped = "SELECT COUNT(*) AS capped FROM payouts WHERE state IN ('SIGNED', 'SENT') AND capped_at IS NOT NULL";
        query(capped).fetch_one(&self.readers).await?.number("capped")
    }

    async fn held_payouts(&self) -> Stored<Vec<Payout>> {
        let held = selected!(
            "WHERE hold IN ('UNASKED', 'HELD') AND state IN ('WAITING', 'UNADDRESSED') ORDER BY id"
        );
        query(held).read_all(&self.readers, rows::payout::read).await
    }

    async fn unknown_transactions(&self, transactions: Vec<String>) -> Stored<Vec<String>> {
        if transactions.is_empty() {
            return Ok(transactions);
        }
        let text = |listed: &str| {
            format!(
                "SELECT transaction_id FROM payouts WHERE transaction_id {listed}
                 UNION SELECT transaction_id FROM payout_versions WHERE transaction_id {listed}"
            )
        };
        let known = query_list(Vec::new(), &transactions, text);
        let known: BTreeSet<String> = known.read_all(&self.readers, |row| row.text("transaction_id")).await?;
        Ok(transactions.into_iter().filter(|transaction| !known.contains(transaction)).collect())
    }

    async fn newest_withdrawals(&self, limit: u32) -> Stored<Vec<Withdrawal>> {
        rows::withdrawal::newest(&self.readers, limit).await
    }

    async fn withdrawals(
        &self,
        business: BusinessId,
        filter: &WithdrawalFilter,
        page: &Page,
    ) -> Stored<Vec<Withdrawal>> {
        pages::withdrawals::read(&self.readers, business, filter, page).await
    }

    async fn withdrawal(&self, id: Uuid) -> Stored<Option<Withdrawal>> {
        rows::withdrawal::find(&self.readers, id).await
    }

    async fn charged(&self, id: Uuid) -> Stored<Option<Withdrawal>> {
        rows::withdrawal::charged(&self.readers, id).await
    }

    async fn above_fee(&self) -> Stored<Vec<Withdrawal>> {
        rows::withdrawal::above_fee(&self.readers).await
    }

    async fn left_since(&self, business: BusinessId, since: u64) -> Stored<Decimal> {
        left_since(&self.readers, business, since, Uuid::nil()).await
    }

    async fn refunded_payment(&self, payout: Uuid) -> Stored<Option<PaymentId>> {
        query(REFUNDED).bind(payout).read_first(&self.readers, |row| row.parsed("payment")).await
    }
}

#[async_trait]
impl Sequences for Database {
    async fn next_sequence(&self, network: Network, account: &str) -> Stored<Option<u64>> {
        let row = query("SELECT MAX(sequence) + 1 AS next FROM payouts WHERE network = $1 AND account = $2")
            .bind(network.code())
            .bind(account)
            .fetch_one(&self.readers)
            .await?;
        row.optional_number("next")
    }

    async fn free_sequence(&self, network: Network, account: &str, first: u64) -> Stored<u64> {
        let rows = query(
            "SELECT sequence FROM payouts
             WHERE network = $1 AND account = $2 AND sequence >= $3 AND state <> 'FAILED' ORDER BY sequence",
        )
        .bind(network.code())
        .bind(account)
        .bind(first)
        .fetch_all(&self.readers)
        .await?;
        let mut free = first;
        for row in rows {
            if row.number::<u64>("sequence")? != free {
                break;
            }
            free += 1;
        }
        Ok(free)
    }

    async fn are_all_known(&self, network: Network, account: &str, next: u64) -> Stored<bool> {
        let first = self.first_unknown(network, account).await?;
        let row = query(
            "SELECT COUNT(DISTINCT sequence) AS known FROM payouts
             WHERE network = $1 AND account = $2 AND sequence >= $3 AND sequence < $4 AND state <> 'FAILED'",
        )
        .bind(network.code())
        .bind(account)
        .bind(first)
        .bind(next)
        .fetch_one(&self.readers)
        .await?;
        Ok(row.number::<u64>("known")? >= next.saturating_sub(first))
    }

    async fn is_undecided(&self, network: Network, account: &str) -> Stored<bool> {
        let Some(last) = self.number_setting(&restored_signed(network, account)).await? else {
            return Ok(false);
        };
        query(
            "SELECT id FROM payouts
             WHERE network = $1 AND account = $2 AND sequence >= $3 AND sequence <= $4 AND state = 'SIGNED'",
        )
        .bind(network.code())
        .bind(account)
        .bind(self.first_unknown(network, account).await?)
        .bind(last)
        .finds(&self.readers)
        .await
    }
}

impl Database {
    /// The first number of an account that a payout of before the last restore may not explain.
    async fn first_unknown(&self, network: Network, account: &str) -> Stored<u64> {
        let known = self.number_setting(&restored_sequence(network, account)).await?;
        Ok(known.map_or(0, |known| known + 1))
    }

    async fn number_setting(&self, key: &str) -> Stored<Option<u64>> {
        Ok(self.setting(key).await?.and_then(|text| text.parse().ok()))
    }
}

#[async_trait]
impl PayoutTx for SqlTx {
    async fn insert_payout(&mut self, payout: &Payout) -> Stored<()> {
        rows::payout::insert(self.now().await?, payout).await
    }

    async fn payout(&mut self, id: Uuid) -> Stored<Option<Payout>> {
        let locked = locked!(selected!("WHERE id = $1"), "FOR NO KEY UPDATE OF payouts");
        query(locked).bind(id).read_first(self.now().await?, rows::payout::read).await
    }

    async fn put_why(&mut self, payout: Uuid, why: Option<Why>, now: u64) -> Stored<()> {
        query(
            "UPDATE payouts SET why = $2, why_since = CASE WHEN why = $2 THEN why_since ELSE $3 END
             WHERE id = $1 AND state = 'WAITING'",
        )
        .bind(payout)
        .bind(why.map(Why::as_str))
        .bind(now)
        .run(self.now().await?)
        .await
    }

    async fn save_payout(&mut self, payout: Payout) -> Stored<Option<Payout>> {
        let is_stored = rows::payout::save(self.now().await?, &payout).await?;
        Ok(is_stored.then(|| Payout { revision: payout.revision + 1, why: None, ..payout }))
    }

    async fn payouts_sent_by(&mut self, transaction_id: &str, payout: Uuid) -> Stored<Vec<Uuid>> {
        // Explorers write hexadecimal ids in either case. Those of a payout that nothing proves unsent are in its reason alone.
        let lower = transaction_id.to_ascii_lowercase();
        locks::lock(self.now().await?, "transaction", &lower).await?;
        query(
            "SELECT id FROM payouts
             WHERE id <> $1 AND network = (SELECT network FROM payouts WHERE id = $1)
                 AND (LOWER(transaction_id) = $2
                      OR id IN (SELECT payout FROM payout_versions WHERE LOWER(transaction_id) = $2)
                      OR hold = 'SENT_BY' AND LOWER(hold_transaction) = $2
                      OR LOWER(hold_reason) LIKE 'its transaction %' || $2 || '% may have been sent%')
             ORDER BY id",
        )
        .bind(payout)
        .bind(lower)
        .read_all(self.now().await?, |row| row.parsed("id"))
        .await
    }

    async fn left_since(&mut self, business: BusinessId, since: u64, payout: Uuid) -> Stored<Decimal> {
        left_since(self.now().await?, business, since, payout).await
    }

    async fn put_left(&mut self, payout: Uuid, now: u64, worth: Option<Decimal>) -> Stored<()> {
        let statement =
            query("UPDATE payouts SET left_at = $2, worth = COALESCE($3, worth) WHERE id = $1").bind(payout);
        statement.bind(now).bind(worth.map(|worth| worth.to_string())).run(self.now().await?).await
    }

    async fn withdrawal(&mut self, id: Uuid) -> Stored<Option<Withdrawal>> {
        rows::withdrawal::by_id(self.now().await?, id).await
    }

    async fn unsigned(&mut self, business: BusinessId) -> Stored<Vec<Withdrawal>> {
        rows::withdrawal::unsigned(self.now().await?, business).await
    }

    async fn withdrawal_by_client_id(
        &mut self,
        business: BusinessId,
        client_withdrawal_id: &str,
    ) -> Stored<Option<(Withdrawal, String)>> {
        rows::withdrawal::by_client_id(self.now().await?, business, client_withdrawal_id, false).await
    }

    async fn insert_withdrawal(&mut self, withdrawal: &Withdrawal, request_hash: &str) -> Stored<bool> {
        rows::withdrawal::insert(self.now().await?, withdrawal, request_hash).await
    }

    async fn update_withdrawal(&mut self, withdrawal: &Withdrawal) -> Stored<()> {
        rows::withdrawal::update(self.now().await?, withdrawal).await
    }

    async fn put_asked_fee(&mut self, id: Uuid, asked: Option<Amount>) -> Stored<()> {
        query("UPDATE withdrawals SET asked_fee = $2 WHERE id = $1")
            .bind(id)
            .bind(asked.map(|asked| asked.atoms().to_string()))
            .run(self.now().await?)
            .await
    }

    async fn merchant_refund_by_client_id(
        &mut self,
        business: BusinessId,
        client_refund_id: &str,
    ) -> Stored<Option<(Withdrawal, String)>> {
        rows::withdrawal::by_client_id(self.now().await?, business, client_refund_id, true).await
    }

    async fn put_recipient(&mut self, refund: Uuid, recipient: &str, now: u64) -> Stored<()> {
        query("UPDATE withdrawals SET recipient = $2, counts_from = $3 WHERE id = $1")
            .bind(refund)
            .bind(recipient)
            .bind(now)
            .run(self.now().await?)
            .await
    }

    async fn put_refund(&mut self, payment: PaymentId, business: BusinessId, refund: &Refund) -> Stored<()> {
        rows::refund::put(self.now().await?, (payment, business), refund).await
    }

    async fn payment_of_refund(&mut self, payout: Uuid) -> Stored<Option<PaymentId>> {
        payment_of_refund(self.now().await?, payout).await
    }

    async fn booked(&mut self, payment: PaymentId) -> Stored<BTreeMap<Uuid, Booked>> {
        rows::settlement::of_payments(self.now().await?, &[payment]).await
    }

    async fn booked_of(&mut self, payments: &[PaymentId]) -> Stored<BTreeMap<Uuid, Booked>> {
        rows::settlement::of_payments(self.now().await?, payments).await
    }

    async fn booked_deposits(&mut self, deposits: &[Uuid]) -> Stored<BTreeMap<Uuid, Booked>> {
        rows::settlement::of_deposits(self.now().await?, deposits).await
    }

    async fn put_booked(&mut self, booked: &[(Uuid, Booked)]) -> Stored<()> {
        if let Some(later) = self.later() {
            later.booked.extend(booked.iter().copied());
            return Ok(());
        }
        rows::settlement::put(self.now().await?, booked).await
    }
}

async fn left_since<'a>(
    on: impl Into<On<'a>>,
    business: BusinessId,
    since: u64,
    payout: Uuid,
) -> Stored<Decimal> {
    let signed = query(
        "SELECT worth FROM payouts
         WHERE business = $1 AND left_at IS NOT NULL AND id <> $3
             AND (state = 'SIGNED' OR left_at > $2 AND state IN ('SENT', 'CONFIRMED', 'FINAL', 'REVERTED'))",
    );
    let signed = signed.bind(business).bind(since).bind(payout);
    let worth: Vec<Option<Decimal>> = signed.read_all(on, |row| row.optional_decimal("worth")).await?;
    Ok(worth
        .into_iter()
        .map(|worth| worth.unwrap_or(Decimal::MAX))
        .fold(Decimal::ZERO, Decimal::saturating_add))
}

async fn payment_of_refund(connection: &mut Transaction, payout: Uuid) -> Stored<Option<PaymentId>> {
    query(REFUNDED).bind(payout).read_first(connection, |row| row.parsed("payment")).await
}
