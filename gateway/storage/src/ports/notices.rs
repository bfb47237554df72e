//! The port of notices.

use std::collections::BTreeSet;

use async_trait::async_trait;
use checkout_domain::ports::Stored;
use checkout_domain::ports::notices::{NoticeStore, NoticeTx, WaitingPayouts};
use checkout_domain::ports::refunds::WaitingRefund;
use checkout_domain::ports::screening::Flagged;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::may_leave::Why;

use super::{flagged, refunds};
use crate::changes::tx::SqlTx;
use crate::rows::withdrawal::with_payout;
use crate::statements::conditions::first_id_of;
use crate::statements::row::Row;
use crate::{Database, query, rows};

/// A thing with the cause of its notice.
fn caused<T>(read: impl Fn(&Row) -> Stored<T>) -> impl Fn(&Row) -> Stored<(String, T)> {
    move |row| Ok((row.text("cause")?, read(row)?))
}

#[async_trait]
impl NoticeStore for Database {
    async fn untold_deposits(&self, to: &str, limit: u32) -> Stored<Vec<(String, Flagged)>> {
        query(
            "SELECT deposits.*, payments.client_payment_id, 'notice/deposit/' || deposits.id || '/' || $1 AS cause
             FROM deposits JOIN payments ON payments.id = deposits.payment
             WHERE screening = 'FLAGGED' AND deposits.state <> 'VANISHED'
                 AND NOT EXISTS (SELECT 1 FROM mails WHERE mails.cause = 'notice/deposit/' || deposits.id || '/' || $1)
             ORDER BY deposits.id LIMIT $2",
        )
        .bind(to)
        .bind(limit)
        .read_all(&self.readers, caused(flagged::read))
        .await
    }

    async fn untold_refunds(&self, to: &str, limit: u32) -> Stored<Vec<(String, WaitingRefund)>> {
        query(
            "SELECT deposits.*, payments.client_payment_id, gross, refunds.fee AS refund_fee,
                 waits_for, waits_reason, asked_address, asked_tag, asked_at, asked_own_wallet, asked_refusal,
                 'notice/refund/' || refunds.id || '/' || refunds.waits || '/' || $1 AS cause
             FROM refunds JOIN deposits ON deposits.id = refunds.id JOIN payments ON payments.id = deposits.payment
             WHERE waits_for IS NOT NULL AND refunds.kind IS NOT NULL AND waits_reason <> 'UNCONFIRMED_SENDER' AND NOT EXISTS (
                 SELECT 1 FROM mails WHERE mails.cause = 'notice/refund/' || refunds.id || '/' || refunds.waits || '/' || $1
             )
             ORDER BY deposits.id LIMIT $2",
        )
        .bind(to)
        .bind(limit)
        .read_all(&self.readers, caused(refunds::read))
        .await
    }

    async fn untold_withdrawals(
        &self,
        to: &str,
        made_since: u64,
        limit: u32,
    ) -> Stored<Vec<(String, Withdrawal)>> {
        query(concat!(
            "SELECT * FROM (",
            with_payout!(
                ", 'notice/withdrawal/' || withdrawals.id
                     || CASE WHEN withdrawals.status = 'FAILED' THEN '/FAILED/' ELSE '/' || withdrawals.waits || '/' END || $1 AS cause",
                "WHERE approval = 'WAITING' AND state = 'WAITING'
                     OR withdrawals.status = 'FAILED' AND state <> 'CANCELLED' AND withdrawals.id >= $2"
            ),
            ") AS waiting WHERE NOT EXISTS (SELECT 1 FROM mails WHERE mails.cause = waiting.cause) ORDER BY id LIMIT $3"
        ))
        .bind(to)
        .bind(first_id_of(made_since))
        .bind(limit)
        .read_all(&self.readers, caused(rows::withdrawal::read))
        .await
    }

    async fn waiting_payouts(&self) -> Stored<Vec<WaitingPayouts>> {
        let rows = query(
            "SELECT business, network, why, COUNT(*) AS number, MIN(id) AS oldest, MIN(COALESCE(why_since, created_at)) AS since,
                 SUM(CASE WHEN kind = 'WITHDRAWAL' THEN 1 ELSE 0 END) AS withdrawals
             FROM payouts WHERE state = 'WAITING' AND why IS NOT NULL GROUP BY business, network, why ORDER BY oldest",
        );
        let read = |row: &Row| {
            // What another version knows is not said.
            let Some(why) = Why::known(&row.text("why")?) else { return Ok(None) };
            Ok(Some(WaitingPayouts {
                business: row.parsed("business")?,
                network: row.parsed("network")?,
                why,
                count: row.number("number")?,
                oldest: row.parsed("oldest")?,
                since: row.number("since")?,
                are_refunds: row.number::<u64>("withdrawals")? == 0,
            }))
        };
        let read: Vec<Option<WaitingPayouts>> = rows.read_all(&self.readers, read).await?;
        Ok(read.into_iter().flatten().collect())
    }

    async fn untold_things(&self, to: &str) -> Stored<Vec<(String, String)>> {
        query(
            "SELECT * FROM (SELECT thing, 'notice/' || thing || '/' || since || '/' || $1 AS cause FROM lasting WHERE until IS NULL) AS lasts
             WHERE NOT EXISTS (SELECT 1 FROM mails WHERE mails.cause = lasts.cause)",
        )
        .bind(to)
        .read_all(&self.readers, caused(|row| row.text("thing")))
        .await
    }

    async fn lasting(&self) -> Stored<BTreeSet<String>> {
        query("SELECT thing FROM lasting WHERE until IS NULL")
            .read_all(&self.readers, |row| row.text("thing"))
            .await
    }
}

#[async_trait]
impl NoticeTx for SqlTx {
    async fn begin_lasting(&mut self, thing: &str, read_at: u64, now: u64) -> Stored<()> {
        let begun = query(
            "INSERT INTO lasting (thing, since) VALUES ($1, $3)
             ON CONFLICT (thing) DO UPDATE SET since = excluded.since, until = NULL WHERE lasting.until < $2",
        );
        begun.bind(thing).bind(read_at).bind(now).run(self.now().await?).await
    }

    async fn end_lasting(&mut self, thing: &str, read_at: u64, now: u64) -> Stored<()> {
        let over = query("UPDATE lasting SET until = $3 WHERE thing = $1 AND until IS NULL AND since <= $2");
        over.bind(thing).bind(read_at).bind(now).run(self.now().await?).await
    }
}
