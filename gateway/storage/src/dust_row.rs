//! A row of `dust`.

use checkout_core::{Currency, Network};
use checkout_domain::payment::dust::DustSum;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use super::row::{Row, int};
use super::{On, Transaction, locks, query};

/// Adds to the row of a payment, which its change has locked.
pub(super) async fn add(
    connection: &mut Transaction,
    payment: Uuid,
    network: Network,
    currency: Currency,
    more: &DustSum,
) -> Stored<()> {
    locks::hold_payments(connection, &[payment]).await?;
    let known = of_payment(&mut *connection, payment).await?;
    let known = known.into_iter().find(|(on, of, _)| (*on, *of) == (network, currency));
    let sum = known.map_or(*more, |(_, _, sum)| sum.plus(more));
    query(
        "INSERT INTO dust (payment, network, currency, transfers, amount, last_seen_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (payment, network, currency) DO UPDATE SET transfers = excluded.transfers,
             amount = excluded.amount, last_seen_at = excluded.last_seen_at",
    )
    .bind(payment.to_string())
    .bind(network.code())
    .bind(currency.code())
    .bind(int(sum.transfers))
    .bind(sum.amount.atoms().to_string())
    .bind(int(sum.last_seen_at))
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn of_payment<'a>(
    on: impl Into<On<'a>>,
    payment: Uuid,
) -> Stored<Vec<(Network, Currency, DustSum)>> {
    let rows = query("SELECT * FROM dust WHERE payment = $1 ORDER BY network, currency")
        .bind(payment.to_string())
        .fetch_all(on)
        .await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Stored<(Network, Currency, DustSum)> {
    let sum = DustSum {
        transfers: row.number("transfers")?,
        amount: row.atoms("amount")?,
        last_seen_at: row.number("last_seen_at")?,
    };
    Ok((row.parsed("network")?, row.parsed("currency")?, sum))
}
