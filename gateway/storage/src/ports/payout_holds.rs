//! The port of payouts that wait since a restore.

use std::collections::BTreeSet;

use async_trait::async_trait;
use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::payout_hold::{HoldDecision, PayoutHold};
use checkout_domain::ports::Stored;
use checkout_domain::ports::payout_holds::{PayoutHoldStore, PayoutHoldTx};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::locks;
use crate::statements::row::{Row, bad};
use crate::{Database, by_statement, parameters, query, query_rows, rows};

/// The reason of a hold on which an operator decided before the chain answered. A release without a reason is the chain's.
const NOT_ASKED: &str = "it was decided before the chain was asked";

fn read(row: &Row) -> Stored<PayoutHold> {
    let decision = match row.optional_text("decision")?.as_deref() {
        None => None,
        Some("RELEASE") => Some(HoldDecision::Release),
        Some("SENT") => Some(HoldDecision::Sent(row.text("hold_transaction")?)),
        Some(_) => return Err(bad("decision")),
    };
    Ok(PayoutHold { payout: row.parsed("payout")?, reason: row.optional_text("reason")?, decision })
}

#[async_trait]
impl PayoutHoldStore for Database {
    async fn payout_hold(&self, payout: Uuid) -> Stored<Option<PayoutHold>> {
        query(
            "SELECT payout, reason, decision, transaction_id AS hold_transaction FROM payout_holds
             WHERE payout = $1",
        )
        .bind(payout)
        .read_first(&self.readers, read)
        .await
    }

    async fn held_payouts(&self) -> Stored<Vec<(Payout, PayoutHold)>> {
        query(
            "SELECT payouts.*, payout, reason, decision, payout_holds.transaction_id AS hold_transaction
             FROM payout_holds JOIN payouts ON payouts.id = payout_holds.payout
             WHERE decision IS NULL AND state IN ('WAITING', 'UNADDRESSED') ORDER BY payouts.id",
        )
        .read_all(&self.readers, |row| Ok((rows::payout::read(row)?, read(row)?)))
        .await
    }

    async fn unknown_transactions(&self, transactions: Vec<String>) -> Stored<Vec<String>> {
        let mut known = BTreeSet::new();
        for some in by_statement(&transactions, 1) {
            let listed = parameters(some.len());
            let text = format!(
                "SELECT transaction_id FROM payouts WHERE transaction_id IN ({listed})
                 UNION SELECT transaction_id FROM payout_versions WHERE transaction_id IN ({listed})"
            );
            let found = query_rows(text, some.len(), 1).bind_all(some).fetch_all(&self.readers).await?;
            for row in found {
                known.insert(row.text("transaction_id")?);
            }
        }
        Ok(transactions.into_iter().filter(|transaction| !known.contains(transaction)).collect())
    }
}

#[async_trait]
impl PayoutHoldTx for SqlTx {
    async fn hold_payout(&mut self, payout: Uuid, reason: &str) -> Stored<()> {
        query(
            "INSERT INTO payout_holds (payout, reason) VALUES ($1, $2)
             ON CONFLICT (payout) DO UPDATE SET reason = excluded.reason, decision = NULL, transaction_id = NULL",
        )
        .bind(payout)
        .bind(reason)
        .run(self.now().await?)
        .await
    }

    async fn hold_compared(&mut self, payout: Uuid, reason: &str) -> Stored<bool> {
        locks::hold_payout(self.now().await?, payout).await?;
        // Without a reason it is undecided, or another answer of the chain released it.
        query(
            "INSERT INTO payout_holds (payout, reason)
             SELECT id, $2 FROM payouts WHERE id = $1 AND state IN ('WAITING', 'UNADDRESSED')
             ON CONFLICT (payout) DO UPDATE SET reason = excluded.reason, decision = NULL
                 WHERE payout_holds.reason IS NULL",
        )
        .bind(payout)
        .bind(reason)
        .changed(self.now().await?)
        .await
    }

    async fn release_compared(&mut self, payout: Uuid) -> Stored<bool> {
        locks::hold_payout(self.now().await?, payout).await?;
        query(
            "UPDATE payout_holds SET decision = 'RELEASE'
             WHERE payout = $1 AND reason IS NULL AND decision IS NULL",
        )
        .bind(payout)
        .run(self.now().await?)
        .await?;
        let held = query(
            "SELECT payout FROM payout_holds WHERE payout = $1 AND (decision IS NULL OR decision = 'SENT')",
        );
        Ok(!held.bind(payout).finds(self.now().await?).await?)
    }

    async fn decide_hold(&mut self, payout: Uuid, decision: &HoldDecision) -> Stored<bool> {
        locks::hold_payout(self.now().await?, payout).await?;
        let (word, transaction) = match decision {
            HoldDecision::Release => ("RELEASE", None),
            HoldDecision::Sent(transaction) => ("SENT", Some(transaction)),
        };
        query(
            "UPDATE payout_holds SET decision = $2, transaction_id = $3, reason = COALESCE(reason, $4)
             WHERE payout = $1 AND decision IS NULL
                 AND EXISTS (SELECT 1 FROM payouts WHERE id = payout AND state IN ('WAITING', 'UNADDRESSED'))",
        )
        .bind(payout)
        .bind(word)
        .bind(transaction)
        .bind(NOT_ASKED)
        .changed(self.now().await?)
        .await
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
                      OR id IN (SELECT payout FROM payout_holds WHERE decision = 'SENT' AND LOWER(transaction_id) = $2)
                      OR id IN (SELECT payout FROM payout_holds WHERE LOWER(reason) LIKE 'its transaction %' || $2 || '% may have been sent%'))
             ORDER BY id",
        )
        .bind(payout)
        .bind(lower)
        .read_all(self.now().await?, |row| row.parsed("id"))
        .await
    }

    async fn release_holds(&mut self) -> Stored<u64> {
        query("UPDATE payout_holds SET decision = 'RELEASE', reason = COALESCE(reason, $1) WHERE decision IS NULL")
            .bind(NOT_ASKED)
            .execute(self.now().await?)
            .await
    }

    async fn adopt_payout(&mut self, payout: Uuid, transaction_id: &str, now: u64) -> Stored<bool> {
        query(
            "UPDATE payouts SET state = 'FINAL', transaction_id = $2, confirmed_at = $3
             WHERE id = $1 AND state IN ('WAITING', 'UNADDRESSED')",
        )
        .bind(payout)
        .bind(transaction_id)
        .bind(now)
        .changed(self.now().await?)
        .await
    }
}
