//! Locks on PostgreSQL, held until the end of the transaction. SQLite has a single writer and needs none.
//!
//! Transactions take their locks in this order, so that they cannot deadlock: the cursor of a chain, a sale link or a counter, payments by id,
//! businesses by id (for their balances), the numbers of an account, then a payout, then a withdrawal.

use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::{Transaction, query};

/// Locks a name that has no row, or none yet. Names with the same hash share a lock, which only makes them wait for
/// each other.
pub async fn lock(connection: &mut Transaction, kind: &str, name: &str) -> Stored<()> {
    query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(format!("{kind} {name}"))
        .lock(connection)
        .await
}

/// Locks the balances of a business. Other transactions can still insert rows that refer to the business, such as
/// payments.
pub(crate) async fn hold_balances(connection: &mut Transaction, business: BusinessId) -> Stored<()> {
    query("SELECT id FROM businesses WHERE id = $1 FOR NO KEY UPDATE").bind(business).lock(connection).await
}

/// Locks payments and the balances of their businesses.
pub(crate) async fn hold_payments(connection: &mut Transaction, payments: &[PaymentId]) -> Stored<()> {
    if payments.is_empty() {
        return Ok(());
    }
    let ids: Vec<String> = payments.iter().map(PaymentId::to_string).collect();
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

/// Locks a sale link, so that never more is sold by it than it has.
pub(crate) async fn hold_sale_link(connection: &mut Transaction, link: Uuid) -> Stored<()> {
    query("SELECT id FROM sale_links WHERE id = $1 FOR NO KEY UPDATE").bind(link).lock(connection).await
}

/// Locks a counter, so that nothing is sold at it once it is withdrawn.
pub(crate) async fn hold_counter(connection: &mut Transaction, counter: Uuid) -> Stored<()> {
    query("SELECT id FROM counters WHERE id = $1 FOR NO KEY UPDATE").bind(counter).lock(connection).await
}

/// Locks a payout, so that it is not held and signed, or held and cancelled, at the same time.
pub(crate) async fn hold_payout(connection: &mut Transaction, payout: Uuid) -> Stored<()> {
    query("SELECT id FROM payouts WHERE id = $1 FOR NO KEY UPDATE").bind(payout).lock(connection).await
}

/// Locks the payments of deposits.
pub(crate) async fn hold_payments_of(
    connection: &mut Transaction,
    network: Network,
    outputs: impl Iterator<Item = &OutputId>,
) -> Stored<()> {
    let transactions: Vec<&str> = outputs.map(|output| output.transaction.as_str()).collect();
    query(
        "SELECT id FROM payments
         WHERE id IN (SELECT payment FROM deposits
                      WHERE network = $1 AND transaction_id = ANY (string_to_array($2, ',')))
         ORDER BY id FOR NO KEY UPDATE",
    )
    .bind(network.code())
    .bind(transactions.join(","))
    .lock(connection)
    .await
}
