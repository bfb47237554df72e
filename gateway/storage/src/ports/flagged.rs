//! The port of flagged deposits.

use async_trait::async_trait;
use checkout_domain::chain::screening::Screening;
use checkout_domain::chain::senders;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ports::Stored;
use checkout_domain::ports::screening::{Flagged, FlaggedStore, HeldCounts, Waiting};
use uuid::Uuid;

use crate::statements::row::Row;
use crate::{Database, PAGE, query, rows};

#[async_trait]
impl FlaggedStore for Database {
    async fn payment_of_deposit(&self, deposit: Uuid) -> Stored<Option<PaymentId>> {
        query("SELECT payment FROM deposits WHERE id = $1")
            .bind(deposit)
            .read_first(&self.readers, |row| row.parsed("payment"))
            .await
    }

    async fn waiting_deposits(&self, after: Option<Uuid>) -> Stored<Vec<Waiting>> {
        query(
            "SELECT id, payment, network, from_address, other_senders, screening FROM deposits
             WHERE screening IN ('PENDING', 'RELEASING', 'REFUSING') AND id > $1 ORDER BY id LIMIT $2",
        )
        .bind(after.map_or_else(String::new, |id| id.to_string()))
        .bind(PAGE)
        .read_all(&self.readers, |row| {
            Ok(Waiting {
                deposit: row.parsed("id")?,
                payment: row.parsed("payment")?,
                network: row.parsed("network")?,
                senders: senders(&row.text("from_address")?, &rows::other_senders::read(row)?),
                screening: row.word("screening", Screening::known)?,
            })
        })
        .await
    }

    async fn flagged_deposits(
        &self,
        business: Option<BusinessId>,
        screening: Option<Screening>,
        limit: u32,
    ) -> Stored<Vec<Flagged>> {
        query(
            "SELECT deposits.*, payments.client_payment_id
             FROM deposits JOIN payments ON payments.id = deposits.payment
             WHERE screening IN ('FLAGGED', 'RELEASING', 'RELEASED', 'REFUSING', 'REFUSED')
                 AND ($1 IS NULL OR deposits.business = $1) AND ($2 IS NULL OR screening = $2)
             ORDER BY deposits.id DESC LIMIT $3",
        )
        .bind(business)
        .bind(screening.map(Screening::as_str))
        .bind(limit)
        .read_all(&self.readers, read)
        .await
    }

    async fn held_deposits(&self) -> Stored<HeldCounts> {
        let row = query(
            "SELECT (SELECT COUNT(*) FROM deposits WHERE screening = 'FLAGGED' AND state <> 'VANISHED') AS flagged,
                    (SELECT COUNT(*) FROM deposits WHERE screening = 'PENDING' AND state <> 'VANISHED') AS unscreened",
        )
        .fetch_one(&self.readers)
        .await?;
        Ok(HeldCounts { flagged: row.number("flagged")?, unscreened: row.number("unscreened")? })
    }
}

pub(crate) fn read(row: &Row) -> Stored<Flagged> {
    Ok(Flagged {
        deposit: row.parsed("id")?,
        payment: row.parsed("payment")?,
        client_payment_id: row.text("client_payment_id")?,
        business: row.parsed("business")?,
        pair: rows::payout::pair(row)?,
        amount: row.atoms("amount")?,
        from: row.text("from_address")?,
        hold: rows::flag::hold(row)?,
        owner: rows::flag::owner(row)?,
        transaction: row.text("transaction_id")?,
        seen_at: row.number("seen_at")?,
        vanished: row.text("state")? == "VANISHED",
        screening: row.word("screening", Screening::known)?,
    })
}
