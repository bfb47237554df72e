//! Quotes as they were shown.

use checkout_domain::ids::PaymentId;
use checkout_domain::payment::{Quote, Terms};
use checkout_domain::ports::Stored;
use checkout_domain::rates::market::ShownRates;

use super::payment_texts;
use crate::Transaction;
use crate::statements::columns::columns;
use crate::statements::row::Row;

columns! {
    "quotes": quote: Quote, from row;
    given {
        Once "payment";
        Once "place";
    }
    fields {
        Once currency = quote.currency.code() => parsed;
        Once network = quote.network.code() => parsed;
        Once address = &quote.address => text;
        Once tag = &quote.tag => optional_text;
        Once requested_at = quote.requested_at => number;
        Once fiat as "display_currency" = quote.fiat.code() => parsed;
    }
    columns {
        Once "expected" = quote.terms.expected.atoms().to_string();
        Once "rate" = quote.terms.shown.display.to_string();
        Once "uniform_rate" = quote.terms.shown.uniform.to_string();
        Once "display" = quote.terms.display.to_string();
        Once "uniform" = quote.terms.uniform.to_string();
    }
    others {
        terms = terms(row)?;
    }
}

fn terms(row: &Row) -> Stored<Terms> {
    Ok(Terms {
        expected: row.atoms("expected")?,
        shown: ShownRates { display: row.decimal("rate")?, uniform: row.decimal("uniform_rate")? },
        display: row.decimal("display")?,
        uniform: row.decimal("uniform")?,
    })
}

pub(crate) async fn insert(
    connection: &mut Transaction,
    payment: PaymentId,
    place: usize,
    quote: &Quote,
) -> Stored<()> {
    let given = [payment.into(), (place as u64).into()];
    COLUMNS.insert(given, quote, String::new).execute(&mut *connection).await?;
    payment_texts::insert_quote(connection, payment, quote).await
}
