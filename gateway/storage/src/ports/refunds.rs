//! The port of refunds.

use async_trait::async_trait;
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_domain::payment::refund_phase::Phase;
use checkout_domain::payment::refund_said::Said;
use checkout_domain::ports::Stored;
use checkout_domain::ports::refunds::{FoundRefund, RefundStore, WaitingRefund};
use uuid::Uuid;

use crate::statements::row::{Row, bad};
use crate::{Database, pages, query, rows};

#[async_trait]
impl RefundStore for Database {
    async fn refunds(
        &self,
        business: BusinessId,
        filter: &RefundFilter,
        page: &Page,
    ) -> Stored<Vec<FoundRefund>> {
        let mut snapshot = self.readers.snapshot().await?;
        pages::refunds::read(&mut snapshot, business, filter, page).await
    }

    async fn refund(&self, id: Uuid) -> Stored<Option<FoundRefund>> {
        let mut snapshot = self.readers.snapshot().await?;
        pages::refunds::find(&mut snapshot, id).await
    }

    async fn waiting_refunds(&self, business: Option<BusinessId>, limit: u32) -> Stored<Vec<WaitingRefund>> {
        query(
            "SELECT deposits.*, payments.client_payment_id, gross, refunds.fee AS refund_fee,
                 waits_for, waits_reason, asked_address, asked_tag, asked_at, asked_own_wallet, asked_refusal
             FROM refunds JOIN deposits ON deposits.id = refunds.id JOIN payments ON payments.id = deposits.payment
             WHERE waits_for IS NOT NULL AND ($1 IS NULL OR deposits.business = $1)
             ORDER BY deposits.id DESC LIMIT $2",
        )
        .bind(business)
        .bind(limit)
        .read_all(&self.readers, read)
        .await
    }

    async fn count_waiting_refunds(&self) -> Stored<u64> {
        let waiting = "SELECT COUNT(*) AS waiting FROM refunds
             WHERE waits_for IS NOT NULL AND kind IS NOT NULL AND waits_reason <> 'UNCONFIRMED_SENDER'";
        query(waiting).fetch_one(&self.readers).await?.number("waiting")
    }
}

pub(crate) fn read(row: &Row) -> Stored<WaitingRefund> {
    let word = row.text("waits_for")?;
    let claim = rows::refund::claim(row)?;
    let phase = row.word("waits_reason", |why| {
        Phase::waiting(&word, why, Said { claim: claim.clone(), decision: None })
    })?;
    Ok(WaitingRefund {
        deposit: row.parsed("id")?,
        payment: row.parsed("payment")?,
        client_payment_id: row.text("client_payment_id")?,
        business: row.parsed("business")?,
        pair: rows::payout::pair(row)?,
        gross: row.atoms("gross")?,
        fee: row.atoms("refund_fee")?,
        from: row.text("from_address")?,
        transaction: row.text("transaction_id")?,
        wait: phase.wait().ok_or_else(|| bad("waits_for"))?,
        claim: claim.map(|claim| claim.to),
    })
}
