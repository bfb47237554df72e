//! Quotes as they were shown.

use checkout_domain::payment::{Quote, Terms};
use checkout_domain::ports::Stored;
use uuid::Uuid;

use super::row::{Row, int};
use super::{Transaction, payment_row, query};

pub(super) async fn insert(
    connection: &mut Transaction,
    payment: Uuid,
    place: usize,
    quote: &Quote,
) -> Stored<()> {
    query(
        "INSERT INTO quotes (payment, place, currency, network, address, tag, expected, rate, uniform_rate,
             display, uniform, requested_at, display_currency)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
    )
    .bind(payment.to_string())
    .bind(int(place as u64))
    .bind(quote.currency.code())
    .bind(quote.network.code())
    .bind(&quote.address)
    .bind(&quote.tag)
    .bind(quote.terms.expected.atoms().to_string())
    .bind(quote.terms.rate.to_string())
    .bind(quote.terms.uniform_rate.to_string())
    .bind(quote.terms.display.to_string())
    .bind(quote.terms.uniform.to_string())
    .bind(int(quote.requested_at))
    .bind(quote.fiat.code())
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) fn read(row: &Row) -> Stored<Quote> {
    let terms = Terms {
        expected: row.atoms("expected")?,
        rate: row.decimal("rate")?,
        uniform_rate: row.decimal("uniform_rate")?,
        display: row.decimal("display")?,
        uniform: row.decimal("uniform")?,
    };
    Ok(Quote {
        currency: row.parsed("currency")?,
        network: row.parsed("network")?,
        address: row.text("address")?,
        tag: row.optional_text("tag")?,
        fiat: payment_row::fiat(row)?,
        terms,
        requested_at: row.number("requested_at")?,
    })
}
