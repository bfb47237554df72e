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
        "SELECT settlements.*, id, payment, network, currency, transaction_id, output_index, seen_at
         FROM settlements JOIN deposits ON deposits.id = settlements.deposit
         WHERE settlements.depth_asked_at IS NOT NULL AND deposits.business = $1 ORDER BY deposits.id",
    )
    .bind(business)
    .read_all(on, read)
    .await
}

pub(crate) async fn on(
    database: &Database,
    network: Network,
    now: u64,
    most: u32,
) -> Stored<Vec<PendingDeposit>> {
    query(
        "SELECT settlements.*, id, payment, network, currency, transaction_id, output_index, seen_at
         FROM settlements JOIN deposits ON deposits.id = settlements.deposit
         WHERE settlements.depth_asked_at <= $1 AND deposits.network = $2
         ORDER BY settlements.depth_asked_at, deposits.id LIMIT $3",
    )
    .bind(now)
    .bind(network.code())
    .bind(most)
    .read_all(&database.readers, read)
    .await
}

/// False if it is final, or not booked.
pub(crate) async fn put(connection: &mut Transaction, deposit: Uuid, depth: Depth) -> Stored<bool> {
    let asked_at = match depth {
        Depth::Shallow { asked_at } => Some(asked_at),
        Depth::Final => None,
    };
    let changed =
        query("UPDATE settlements SET depth_asked_at = $1 WHERE deposit = $2 AND depth_asked_at IS NOT NULL")
            .bind(asked_at)
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
