//! Credited deposits that are not final: rows of `settlements` with those of `deposits`.

use checkout_core::Network;
use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::settlement::Depth;
use checkout_domain::payment::pending::PendingDeposit;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::statements::row::Row;
use crate::{Database, On, Transaction, query, rows};

/// The deposits of a business.
pub(crate) async fn of<'a>(on: impl Into<On<'a>>, business: BusinessId) -> Stored<Vec<PendingDeposit>> {
    query(
        "SELECT settlements.*, id, payment, currency, transaction_id, output_index, seen_at
         FROM settlements JOIN deposits ON deposits.id = settlements.deposit
         WHERE settlements.asked_at_height IS NOT NULL AND settlements.business = $1 ORDER BY id",
    )
    .bind(business)
    .read_all(on, read)
    .await
}

pub(crate) async fn on(
    database: &Database,
    network: Network,
    height: u64,
    most: u32,
) -> Stored<Vec<PendingDeposit>> {
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

fn read(row: &Row) -> Stored<PendingDeposit> {
    Ok(PendingDeposit {
        deposit: row.parsed("id")?,
        payment: row.parsed("payment")?,
        output: rows::deposit::output(row)?,
        pair: rows::payout::pair(row)?,
        seen_at: row.number("seen_at")?,
        booked: rows::settlement::read(row)?,
    })
}
