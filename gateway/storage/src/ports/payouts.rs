//! The port of payouts.

use std::collections::BTreeMap;

use async_trait::async_trait;
use checkout_core::{Amount, Network};
use checkout_domain::chain::payout::{Payout, Progress, Sequence, Signed};
use checkout_domain::chain::payout_hold::{restored_sequence, restored_signed};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::settlement::Booked;
use checkout_domain::page::Page;
use checkout_domain::payment::refund::{Decision, Given, Refund};
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::Sequences;
use checkout_domain::ports::payouts::{PayoutStore, PayoutTx, Versions};
use checkout_domain::ports::settings::SettingStore as _;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::filter::WithdrawalFilter;
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::locks;
use crate::{Database, PAGE, Transaction, pages, query, rows};

const REFUNDED: &str = "SELECT payment FROM refunds WHERE payout = $1
     UNION ALL SELECT payment FROM withdrawals WHERE id = $1 AND payment IS NOT NULL";

#[async_trait]
impl PayoutStore for Database {
    async fn open_payouts(&self, after: Option<Uuid>) -> Stored<Vec<Payout>> {
        query(
            "SELECT * FROM payouts WHERE state IN ('WAITING', 'SIGNED', 'SENT', 'CONFIRMED') AND id > $1 ORDER BY id LIMIT $2",
        )
        .bind(after.map_or_else(String::new, |id| id.to_string()))
        .bind(PAGE)
        .read_all(&self.readers, rows::payout::read)
        .await
    }

    async fn open_payouts_on(&self, network: Network, after: Option<Uuid>) -> Stored<Vec<Payout>> {
        query(
            "SELECT * FROM (
                 SELECT * FROM payouts
                 WHERE state IN ('WAITING', 'SIGNED', 'SENT', 'CONFIRMED') AND id > $1 AND network = $2
                 UNION ALL
                 SELECT payouts.* FROM payout_holds JOIN payouts ON payouts.id = payout
                 WHERE decision = 'SENT' AND state = 'UNADDRESSED' AND payouts.id > $1 AND network = $2
             ) AS opened ORDER BY id LIMIT $3",
        )
        .bind(after.map_or_else(String::new, |id| id.to_string()))
        .bind(network.code())
        .bind(PAGE)
        .read_all(&self.readers, rows::payout::read)
        .await
    }

    async fn unscreened_withdrawals(&self, after: Option<Uuid>) -> Stored<Vec<Payout>> {
        query(
            "SELECT payouts.* FROM payouts JOIN withdrawals ON withdrawals.id = payouts.id
             WHERE state = 'WAITING' AND owner_name IS NULL AND payouts.id > $1 ORDER BY payouts.id LIMIT $2",
        )
        .bind(after.map_or_else(String::new, |id| id.to_string()))
        .bind(PAGE)
        .read_all(&self.readers, rows::payout::read)
        .await
    }

    async fn is_screened(&self, withdrawal: Uuid) -> Stored<bool> {
        query("SELECT id FROM withdrawals WHERE id = $1 AND owner_name IS NOT NULL")
            .bind(withdrawal)
            .finds(&self.readers)
            .await
    }

    async fn versions(&self, payout: Uuid) -> Stored<Versions> {
        rows::payout_versions::of_payout(&self.readers, payout).await
    }

    async fn pending_payouts(&self) -> Stored<Vec<(Payout, Versions)>> {
        rows::payout_versions::pending(&self.readers).await
    }

    async fn capped_payouts(&self) -> Stored<u64> {
        let capped = "SELECT COUNT(*) AS capped FROM payouts WHERE state IN ('SIGNED', 'SENT') AND capped_at IS NOT NULL";
        query(capped).fetch_one(&self.readers).await?.number("capped")
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

    async fn move_payout(&mut self, id: Uuid, from: Progress, to: Progress) -> Stored<bool> {
        locks::hold_payout(self.now().await?, id).await?;
        // A held payout may have been sent: it waits until an operator releases it, or names its transaction.
        query(
            "UPDATE payouts SET state = $3 WHERE id = $1 AND state = $2
                 AND (state NOT IN ('WAITING', 'UNADDRESSED') OR NOT EXISTS (
                     SELECT 1 FROM payout_holds
                     WHERE payout = payouts.id AND (decision = 'SENT'
                         OR decision IS NULL AND (reason IS NOT NULL OR payouts.kind <> 'REFUND'))
                 ))",
        )
        .bind(id)
        .bind(from.as_str())
        .bind(to.as_str())
        .changed(self.now().await?)
        .await
    }

    async fn store_signed(&mut self, id: Uuid, signed: &Signed, now: u64) -> Stored<bool> {
        let sequence = signed.sequence.as_ref();
        if let Some(Sequence { account, .. }) = sequence {
            locks::lock(self.now().await?, "sequence", account).await?;
        }
        locks::hold_payout(self.now().await?, id).await?;
        query(
            "UPDATE payouts SET state = 'SIGNED', transaction_id = $2, bytes = $3, account = $4, sequence = $5,
                 pending_since = $6
             WHERE id = $1 AND state = 'WAITING' AND NOT EXISTS (
                 SELECT 1 FROM payouts AS others
                 WHERE others.network = payouts.network AND others.account = $4 AND others.sequence = $5
                     AND others.state <> 'FAILED'
             ) AND NOT EXISTS (
                 SELECT 1 FROM payout_holds
                 WHERE payout = payouts.id AND (decision IS NULL OR decision = 'SENT')
             )",
        )
        .bind(id)
        .bind(&signed.transaction_id)
        .bind(hex::encode(&signed.bytes))
        .bind(sequence.map(|sequence| &sequence.account))
        .bind(sequence.map(|sequence| sequence.number))
        .bind(now)
        .changed(self.now().await?)
        .await
    }

    async fn unsign_payout(&mut self, id: Uuid, expired: &Signed) -> Stored<bool> {
        let done = query(
            "UPDATE payouts SET state = 'WAITING', transaction_id = NULL, bytes = NULL, account = NULL, sequence = NULL,
                 capped_at = NULL
             WHERE id = $1 AND state = 'SIGNED' AND transaction_id = $2",
        )
        .bind(id)
        .bind(&expired.transaction_id)
        .execute(self.now().await?)
        .await?;
        if done == 1 {
            rows::payout_versions::forget(self.now().await?, id).await?;
        }
        Ok(done == 1)
    }

    async fn send_payout(&mut self, id: Uuid, by: &Signed) -> Stored<bool> {
        query(
            "UPDATE payouts SET state = 'SENT', transaction_id = $2, bytes = $3 WHERE id = $1 AND state = 'SIGNED'",
        )
        .bind(id)
        .bind(&by.transaction_id)
        .bind(hex::encode(&by.bytes))
        .changed(self.now().await?)
        .await
    }

    async fn store_replacement(
        &mut self,
        id: Uuid,
        newest: &Signed,
        replacement: &Signed,
        now: u64,
    ) -> Stored<bool> {
        rows::payout_versions::add(self.now().await?, id, newest, replacement, now).await
    }

    async fn cap_payout(&mut self, id: Uuid, now: u64) -> Stored<bool> {
        query(
            "UPDATE payouts SET capped_at = $2 WHERE id = $1 AND state IN ('SIGNED', 'SENT') AND capped_at IS NULL",
        )
        .bind(id)
        .bind(now)
        .changed(self.now().await?)
        .await
    }

    async fn confirm_payout(&mut self, id: Uuid, by: &Signed, now: u64) -> Stored<bool> {
        query(
            "UPDATE payouts SET state = 'CONFIRMED', confirmed_at = $2, transaction_id = $3, bytes = $4
             WHERE id = $1 AND state = 'SENT'",
        )
        .bind(id)
        .bind(now)
        .bind(&by.transaction_id)
        .bind(hex::encode(&by.bytes))
        .changed(self.now().await?)
        .await
    }

    async fn mark_unconfirmed(&mut self, id: Uuid, now: u64) -> Stored<bool> {
        query(
            "UPDATE payouts SET state = 'SENT', confirmed_at = NULL, pending_since = $2, capped_at = NULL
             WHERE id = $1 AND state = 'CONFIRMED'",
        )
        .bind(id)
        .bind(now)
        .changed(self.now().await?)
        .await
    }

    async fn withdrawal(&mut self, id: Uuid) -> Stored<Option<Withdrawal>> {
        rows::withdrawal::by_id(self.now().await?, id).await
    }

    async fn withdrawal_by_client_id(
        &mut self,
        business: BusinessId,
        client_withdrawal_id: &str,
    ) -> Stored<Option<(Withdrawal, String)>> {
        rows::withdrawal::by_client_id(self.now().await?, business, client_withdrawal_id).await
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
        rows::withdrawal::refund_by_client_id(self.now().await?, business, client_refund_id).await
    }

    async fn address_payout(&mut self, id: Uuid, recipient: &str, to: &Given, now: u64) -> Stored<bool> {
        let done = query(
            "UPDATE payouts SET to_address = $2, tag = $3, state = 'WAITING'
             WHERE id = $1 AND state = 'UNADDRESSED' AND NOT EXISTS (
                 SELECT 1 FROM payout_holds WHERE payout = payouts.id AND (decision IS NULL OR decision = 'SENT')
             )",
        )
        .bind(id)
        .bind(&to.address)
        .bind(to.tag.as_ref())
        .execute(self.now().await?)
        .await?;
        if done == 1 {
            let known = query("UPDATE withdrawals SET recipient = $2, counts_from = $3 WHERE id = $1");
            known.bind(id).bind(recipient).bind(now).execute(self.now().await?).await?;
        }
        Ok(done == 1)
    }

    async fn set_payout_amount(&mut self, id: Uuid, amount: Amount) -> Stored<bool> {
        query("UPDATE payouts SET amount = $2 WHERE id = $1 AND state = 'WAITING'")
            .bind(id)
            .bind(amount.atoms().to_string())
            .changed(self.now().await?)
            .await
    }

    async fn put_decision(&mut self, deposit: Uuid, decision: Option<&Decision>) -> Stored<()> {
        rows::refund::put_decision(self.now().await?, deposit, decision).await
    }

    async fn put_refund(&mut self, payment: PaymentId, business: BusinessId, refund: &Refund) -> Stored<()> {
        rows::refund::put(self.now().await?, (payment, business), refund).await
    }

    async fn delete_refund(&mut self, deposit: Uuid) -> Stored<()> {
        query("DELETE FROM refunds WHERE deposit = $1").bind(deposit).run(self.now().await?).await
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

async fn payment_of_refund(connection: &mut Transaction, payout: Uuid) -> Stored<Option<PaymentId>> {
    query(REFUNDED).bind(payout).read_first(connection, |row| row.parsed("payment")).await
}
