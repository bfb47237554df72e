//! A row of `settlements`.

use std::collections::BTreeMap;

use checkout_core::Amount;
use checkout_domain::ledger::settlement::{Booked, Prices, Split, Terms};
use checkout_domain::ports::Stored;
use uuid::Uuid;

use super::row::{Row, bad};
use super::{Query, Transaction, by_statement, parameters, placeholders, query_rows};

pub(super) async fn of_payments(
    connection: &mut Transaction,
    payments: &[Uuid],
) -> Stored<BTreeMap<Uuid, Booked>> {
    const TEXT: &str =
        "SELECT settlements.* FROM deposits JOIN settlements ON settlements.deposit = deposits.id
         WHERE deposits.payment IN";
    found(connection, TEXT, payments).await
}

pub(super) async fn of_deposits(
    connection: &mut Transaction,
    deposits: &[Uuid],
) -> Stored<BTreeMap<Uuid, Booked>> {
    found(connection, "SELECT * FROM settlements WHERE deposit IN", deposits).await
}

async fn found(connection: &mut Transaction, text: &str, ids: &[Uuid]) -> Stored<BTreeMap<Uuid, Booked>> {
    let mut booked = BTreeMap::new();
    for some in by_statement(ids, 1) {
        let text = format!("{text} ({})", parameters(some.len()));
        let statement = query_rows(text, some.len(), 1);
        let statement = some.iter().fold(statement, |statement, id| statement.bind(id.to_string()));
        for row in statement.fetch_all(&mut *connection).await? {
            booked.insert(row.parsed("deposit")?, read(&row)?);
        }
    }
    Ok(booked)
}

fn read(row: &Row) -> Stored<Booked> {
    let kept = row.optional_text("kept")?;
    let kept = kept.map(|text| Amount::parse(&text, 0).map_err(|_| bad("kept"))).transpose()?;
    let returned = row.atoms("returned")?;
    Ok(Booked {
        terms: Terms {
            ratio: row.decimal("ratio")?,
            crypto: row.parsed("crypto")?,
            fee: row.decimal("fee")?,
        },
        prices: Prices { deposit: row.decimal("deposit_price")?, crypto: row.decimal("crypto_price")? },
        generation: row.number("generation")?,
        split: kept.map(|kept| Split { kept, returned }),
    })
}

pub(super) async fn put(connection: &mut Transaction, booked: &[(Uuid, Booked)]) -> Stored<()> {
    for some in by_statement(booked, 9) {
        let values = placeholders(some.len(), 9);
        let text = format!(
            "INSERT INTO settlements (deposit, ratio, crypto, fee, deposit_price, crypto_price, generation, kept, returned)
             VALUES {values}
             ON CONFLICT (deposit) DO UPDATE SET generation = excluded.generation, kept = excluded.kept,
                 returned = excluded.returned"
        );
        let statement = query_rows(text, some.len(), 9);
        some.iter().fold(statement, bind).execute(&mut *connection).await?;
    }
    Ok(())
}

fn bind(statement: Query, (deposit, booked): &(Uuid, Booked)) -> Query {
    let returned = booked.split.map_or(Amount::ZERO, |split| split.returned);
    statement
        .bind(deposit.to_string())
        .bind(booked.terms.ratio.to_string())
        .bind(booked.terms.crypto.code())
        .bind(booked.terms.fee.to_string())
        .bind(booked.prices.deposit.to_string())
        .bind(booked.prices.crypto.to_string())
        .bind(i64::from(booked.generation))
        .bind(booked.split.map(|split| split.kept.atoms().to_string()))
        .bind(returned.atoms().to_string())
}
