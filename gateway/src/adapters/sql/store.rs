use async_trait::async_trait;
use checkout_core::Network;
use uuid::Uuid;

use super::row::int;
use super::tx::SqlTx;
use super::{Database, PAGE, Query, Transaction, business_row, deposit_row, payment_row, query, session_row};
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::payment::{Record, Version};
use crate::ports::{NewPayment, Store, Stored, Tx};

#[async_trait]
impl Store for Database {
    async fn begin(&self) -> Stored<Box<dyn Tx>> {
        Ok(Box::new(SqlTx(self.change().await?)))
    }

    async fn add_payment(&self, new: NewPayment) -> Stored<bool> {
        self.insert_batch.add(new).await
    }

    async fn caller(&self, token: &TokenHash, now: u64) -> Stored<Option<(Caller, Option<Session>)>> {
        Ok(self.authenticate(token, now, None).await?.map(|(caller, session, _)| (caller, session)))
    }

    async fn caller_and_version(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Uuid,
    ) -> Stored<Option<(Caller, Option<Session>, Option<Version>)>> {
        self.authenticate(token, now, Some(payment)).await
    }

    async fn business(&self, id: Uuid) -> Stored<Option<Business>> {
        business_row::find(&self.readers, id).await
    }

    async fn businesses(&self) -> Stored<Vec<Business>> {
        let rows = query("SELECT * FROM businesses ORDER BY created_at, id").fetch_all(&self.readers).await?;
        rows.into_iter().map(|row| business_row::read(&row)).collect()
    }

    async fn payment(&self, id: Uuid) -> Stored<Option<Record>> {
        // One snapshot of both tables: the deposits are those of this version.
        let mut snapshot = self.readers.snapshot().await?;
        record(&mut snapshot, query("SELECT * FROM payments WHERE id = $1"), id).await
    }

    async fn allowed_origins(&self, payment: Uuid) -> Stored<Option<Vec<String>>> {
        let row = query(
            "SELECT allowed_origins FROM businesses WHERE id = (SELECT business FROM payments WHERE id = $1)",
        )
        .bind(payment.to_string())
        .fetch_optional(&self.readers)
        .await?;
        row.map(|row| row.list("allowed_origins", ' ')).transpose()
    }

    async fn overdue(&self, now: u64, after: Option<(u64, Uuid)>) -> Stored<Vec<(u64, Uuid)>> {
        let (end, id) = after.map_or((-1, String::new()), |(end, id)| (int(end), id.to_string()));
        let rows = query(
            "SELECT window_end, id FROM payments
             WHERE status IN ('NEW', 'PENDING', 'AWAITING') AND window_end <= $1
                 AND (window_end > $2 OR (window_end = $2 AND id > $3))
             ORDER BY window_end, id LIMIT $4",
        )
        .bind(int(now))
        .bind(end)
        .bind(id)
        .bind(PAGE)
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(|row| Ok((row.number("window_end")?, row.parsed("id")?))).collect()
    }

    async fn cursor(&self, network: Network) -> Stored<Option<String>> {
        let row = query("SELECT cursor FROM chain_cursors WHERE network = $1")
            .bind(network.code())
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| row.text("cursor")).transpose()
    }

    async fn setting(&self, key: &str) -> Stored<Option<String>> {
        let row = query("SELECT value FROM settings WHERE key = $1")
            .bind(key)
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| row.text("value")).transpose()
    }

    async fn ping(&self) -> Stored<()> {
        query("SELECT 1").execute(&self.readers).await?;
        Ok(())
    }
}

/// A token that has not ended, and the version of a payment: of the one that was asked for with a credential, of the
/// session's own with a session.
const AUTHENTICATE: &str = "SELECT 'credential' AS kind, credentials.business AS id, NULL AS settled_at,
        payments.business, version, window_end
    FROM credentials LEFT JOIN payments ON payments.id = $3
    WHERE token_hash = $1 AND (ends_at IS NULL OR ends_at > $2)
    UNION ALL
    SELECT 'session', sessions.payment, settled_at, payments.business, version, window_end
    FROM sessions JOIN payments ON payments.id = sessions.payment
    WHERE token_hash = $1 AND (ends_at IS NULL OR ends_at > $2)";

impl Database {
    /// Every poll runs this query, and most run no other.
    async fn authenticate(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Option<Uuid>,
    ) -> Stored<Option<(Caller, Option<Session>, Option<Version>)>> {
        let row = query(AUTHENTICATE)
            .bind(token.as_str())
            .bind(int(now))
            .bind(payment.map(|id| id.to_string()))
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let caller = session_row::caller(&row)?;
        let window_end = row.optional_number("window_end")?;
        let (session, is_asked_for) = match caller {
            Caller::Organisation | Caller::Business(_) => (None, true),
            Caller::Session { payment: own } => {
                let session = Session { window_end, settled_at: row.optional_number("settled_at")? };
                (Some(session), payment == Some(own))
            }
        };
        let version = match row.optional_number("version")? {
            Some(number) if is_asked_for => {
                Some(Version { business: row.parsed("business")?, number, window_end })
            }
            _ => None,
        };
        Ok(Some((caller, session, version)))
    }
}

/// The deposits of a payment with their refunds.
const DEPOSITS: &str = "SELECT deposits.*, refunds.kind AS refund_kind, refunds.reason AS refund_reason,
        refunds.gross AS refund_gross, refunds.fee AS refund_fee, payouts.id AS payout_id,
        payouts.state AS payout_state, payouts.transaction_id AS payout_transaction,
        payouts.confirmed_at AS payout_confirmed_at
    FROM deposits LEFT JOIN refunds ON refunds.deposit = deposits.id
        LEFT JOIN payouts ON payouts.id = refunds.payout
    WHERE payment = $1 ORDER BY seen_seq, deposits.id";

/// A payment with its deposits in the order of sight.
///
/// What changes a deposit or its refund has the payment's row: who has it, too, has all of them.
pub(super) async fn record(connection: &mut Transaction, payment: Query, id: Uuid) -> Stored<Option<Record>> {
    let row = payment.bind(id.to_string()).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let (payment, version) = (payment_row::read(&row)?, row.number("version")?);
    let rows = query(DEPOSITS).bind(id.to_string()).fetch_all(connection).await?;
    let deposits = rows.into_iter().map(|row| deposit_row::read(&row)).collect::<Stored<_>>()?;
    Ok(Some(Record { payment, version, deposits }))
}
