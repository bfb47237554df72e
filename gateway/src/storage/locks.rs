//! What a change holds until its end, on PostgreSQL. SQLite has one writer, which holds everything.
//!
//! Changes that hold several things take them in this order, so that none waits for another in a circle: the cursor of
//! a chain, payments by id, businesses (which stand for their balances) by id, then a payout, then a withdrawal.

use uuid::Uuid;

use super::{Transaction, query};
use crate::ports::Stored;

/// Something that has no row, or none yet. Two names with the same hash wait for each other, and nothing worse.
pub async fn hold(connection: &mut Transaction, kind: &str, name: &str) -> Stored<()> {
    query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(format!("{kind} {name}"))
        .lock(connection)
        .await
}

/// The balances of a business. Other keys may refer to the business meanwhile: payments can be made.
pub(super) async fn hold_balances(connection: &mut Transaction, business: Uuid) -> Stored<()> {
    query("SELECT id FROM businesses WHERE id = $1 FOR NO KEY UPDATE")
        .bind(business.to_string())
        .lock(connection)
        .await
}

/// Payments, and the balances of their businesses.
pub(super) async fn hold_payments(connection: &mut Transaction, payments: &[Uuid]) -> Stored<()> {
    if payments.is_empty() {
        return Ok(());
    }
    let ids: Vec<String> = payments.iter().map(Uuid::to_string).collect();
    let ids = ids.join(",");
    query("SELECT id FROM payments WHERE id = ANY (string_to_array($1, ',')) ORDER BY id FOR NO KEY UPDATE")
        .bind(&ids)
        .lock(connection)
        .await?;
    query(
        "SELECT id FROM businesses
         WHERE id IN (SELECT business FROM payments WHERE id = ANY (string_to_array($1, ',')))
         ORDER BY id FOR NO KEY UPDATE",
    )
    .bind(ids)
    .lock(connection)
    .await
}
