//! Credited deposits that are not final: rows of `settlements` with those of `deposits`.

use std::collections::BTreeSet;

use checkout_core::Network;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::settlement::Depth;
use checkout_domain::payment::pending::{CreditedDeposit, Pending, RefundCharge};
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::statements::row::Row;
use crate::{Database, Transaction, query, query_list, rows};

/// Those of a business, with what is charged for refunds of their payments.
pub(crate) async fn of(connection: &mut Transaction, business: BusinessId) -> Stored<Pending> {
    let mut deposits: Vec<_> = query(
        "SELECT settlements.*, id, payment, currency, transaction_id, output_index, seen_at
         FROM settlements JOIN deposits ON deposits.id = settlements.deposit
         WHERE settlements.asked_at_height IS NOT NULL AND settlements.business = $1 ORDER BY id",
    )
    .bind(business)
    .read_all(&mut *connection, read)
    .await?;
    let payments: BTreeSet<PaymentId> = deposits.iter().map(|deposit| deposit.payment).collect();
    let payments: Vec<_> = payments.into_iter().collect();
    let refunds = rows::refund::charged_of(connection, &payments).await?;
    let refunded: Vec<_> = refunds.keys().copied().collect();
    deposits.extend(final_of(connection, &refunded).await?);
    let refunds = refunds.values().flat_map(|refunds| refunds.values()).filter_map(RefundCharge::of);
    Ok(Pending { deposits, refunds: refunds.collect() })
}

/// The final ones of payments.
async fn final_of(connection: &mut Transaction, payments: &[PaymentId]) -> Stored<Vec<CreditedDeposit>> {
    let text = |listed: &str| {
        format!(
            "SELECT settlements.*, id, payment, currency, transaction_id, output_index, seen_at
             FROM deposits JOIN settlements ON settlements.deposit = deposits.id
             WHERE settlements.kept IS NOT NULL AND settlements.asked_at_height IS NULL AND deposits.payment {listed}"
        )
    };
    query_list(Vec::new(), payments.iter().copied(), text).read_all(connection, read).await
}

pub(crate) async fn on(
    database: &Database,
    network: Network,
    height: u64,
    most: u32,
) -> Stored<Vec<CreditedDeposit>> {
    query(
        "SELECT settlements.*, id, payment, currency, transaction_id, output_index, seen_at
         FROM settlements JOIN deposits ON deposits.id = settlements.deposit
         WHERE settlements.asked_at_height <= $1 AND settlements.network = $2
         ORDER BY settlements.asked_at_height, id LIMIT $3",
    )
    .bind(height)
    .bind(network.code())
    .bind(most)
    .read_all(&database.readers, read)
    .await
}

/// False if it is final, or not booked.
pub(crate) async fn put(connection: &mut Transaction, deposit: Uuid, depth: Depth) -> Stored<bool> {
    let asked_at_height = match depth {
        Depth::Shallow { asked_at_height } => Some(asked_at_height),
        Depth::Final => None,
    };
    let changed = query(
        "UPDATE settlements SET asked_at_height = $1 WHERE deposit = $2 AND asked_at_height IS NOT NULL",
    )
    .bind(asked_at_height)
    .bind(deposit)
    .execute(connection)
    .await?;
    Ok(changed == 1)
}

fn read(row: &Row) -> Stored<CreditedDeposit> {
    Ok(CreditedDeposit {
        deposit: row.parsed("id")?,
        payment: row.parsed("payment")?,
        output: rows::deposit::output(row)?,
        pair: rows::payout::pair(row)?,
        seen_at: row.number("seen_at")?,
        booked: rows::settlement::read(row)?,
    })
}
