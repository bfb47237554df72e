//! Pages of the deposits of a payment, in the order in which they were first seen.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_domain::page::Page;
use checkout_domain::ports::Stored;
use checkout_domain::ports::payments::DepositPage;
use uuid::Uuid;

use crate::rows::payment_with_deposits::DEPOSITS;
use crate::{Transaction, query, rows};

/// A deposit's place: its sequence number, then its id.
type DepositPosition = (i64, String);

const FIRST: (i64, &str) = (-1, "");
const LAST: (i64, &str) = (i64::MAX, "");

pub(crate) async fn read(
    connection: &mut Transaction,
    payment: PaymentId,
    page: &Page,
) -> Stored<Option<DepositPage>> {
    let found = query("SELECT display_currency FROM payments WHERE id = $1").bind(payment);
    let Some(row) = found.fetch_optional(&mut *connection).await? else { return Ok(None) };
    let places = places(connection, payment, page).await?;
    let unknown = page.cursors().map(|(_, id)| id).filter(|id| !places.contains_key(id)).collect();
    let place = |cursor: Option<Uuid>| cursor.and_then(|id| places.get(&id).cloned());
    let (above, below) = page.bounds();
    let above = place(above).unwrap_or((FIRST.0, FIRST.1.to_owned()));
    let below = place(below).unwrap_or((LAST.0, LAST.1.to_owned()));
    let order = if page.is_newest_first() { "DESC" } else { "ASC" };
    let text = format!(
        "{DEPOSITS} deposits.payment = $1 AND (seen_seq, deposits.id) > ($2, $3) AND (seen_seq, deposits.id) < ($4, $5)
             AND deposits.state <> 'VANISHED' AND deposits.screening <> 'REFUSED'
         ORDER BY seen_seq {order}, deposits.id {order} LIMIT $6"
    );
    let deposits = query(text)
        .bind(payment)
        .bind(above.0)
        .bind(above.1)
        .bind(below.0)
        .bind(below.1)
        .bind(page.limit)
        .read_all(connection, rows::refund::with_deposit)
        .await?;
    Ok(Some(DepositPage { fiat: rows::payment::fiat(&row)?, unknown, deposits: page.in_order(deposits) }))
}

/// The places of the page's cursors, as far as they are deposits of the payment.
async fn places(
    connection: &mut Transaction,
    payment: PaymentId,
    page: &Page,
) -> Stored<BTreeMap<Uuid, DepositPosition>> {
    let mut places = BTreeMap::new();
    for (_, cursor) in page.cursors() {
        let row = query("SELECT seen_seq, id FROM deposits WHERE id = $1 AND payment = $2")
            .bind(cursor)
            .bind(payment)
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(row) = row {
            places.insert(cursor, (row.number("seen_seq")?, row.text("id")?));
        }
    }
    Ok(places)
}
