//! A row of `settlements`.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_core::Amount;
use checkout_domain::ledger::settlement::{Booked, Depth, Prices, Split, Terms};
use checkout_domain::ports::Stored;
use checkout_domain::rates::market::MarketRate;
use uuid::Uuid;

use crate::statements::columns::columns;
use crate::statements::query::ToValue;
use crate::statements::row::{Row, bad};
use crate::{Transaction, query_list};

pub(crate) async fn of_payments(
    connection: &mut Transaction,
    payments: &[PaymentId],
) -> Stored<BTreeMap<Uuid, Booked>> {
    const TEXT: &str =
        "SELECT settlements.* FROM deposits JOIN settlements ON settlements.deposit = deposits.id
         WHERE deposits.payment";
    find_booked(connection, TEXT, payments).await
}

pub(crate) async fn of_deposits(
    connection: &mut Transaction,
    deposits: &[Uuid],
) -> Stored<BTreeMap<Uuid, Booked>> {
    find_booked(connection, "SELECT * FROM settlements WHERE deposit", deposits).await
}

async fn find_booked(
    connection: &mut Transaction,
    text: &str,
    ids: &[impl ToValue + Copy],
) -> Stored<BTreeMap<Uuid, Booked>> {
    let statement = query_list(Vec::new(), ids.iter().copied(), |listed| format!("{text} {listed}"));
    statement.read_all(connection, |row| Ok((row.parsed("deposit")?, read(row)?))).await
}

columns! {
    "settlements": booked: Booked, from row;
    given {
        Key "deposit";
    }
    fields {
        Once business = booked.business => parsed;
        Once network = booked.network.code() => parsed;
        Changes generation = booked.generation => number;
        Changes booked_at = booked.booked_at => number;
    }
    columns {
        Once "ratio" = booked.terms.ratio.to_string();
        Once "crypto" = booked.terms.crypto.code();
        Once "fee" = booked.terms.fee.to_string();
        Changes "deposit_price" = booked.prices.deposit.eur().to_string();
        Changes "crypto_price" = booked.prices.crypto.eur().to_string();
        Changes "kept" = booked.split.map(|split| split.kept.atoms().to_string());
        Changes "asked_at_height" = match booked.depth {
            Depth::Shallow { asked_at_height } => Some(asked_at_height),
            Depth::Final => None,
        };
        Changes "returned" = booked.split.map_or(Amount::ZERO, |split| split.returned).atoms().to_string();
    }
    others {
        terms = Terms { ratio: row.decimal("ratio")?, crypto: row.parsed("crypto")?, fee: row.decimal("fee")? };
        prices = Prices { deposit: MarketRate::new(row.decimal("deposit_price")?), crypto: MarketRate::new(row.decimal("crypto_price")?) };
        split = split(row)?;
        depth = row.optional_number("asked_at_height")?.map_or(Depth::Final, |asked_at_height| Depth::Shallow { asked_at_height });
    }
}

fn split(row: &Row) -> Stored<Option<Split>> {
    let kept = row.optional_text("kept")?;
    let kept = kept.map(|text| Amount::parse(&text, 0).map_err(|_| bad("kept"))).transpose()?;
    let returned = row.atoms("returned")?;
    Ok(kept.map(|kept| Split { kept, returned }))
}

pub(crate) async fn put(connection: &mut Transaction, booked: &[(Uuid, Booked)]) -> Stored<()> {
    let end = format!("ON CONFLICT (deposit) DO UPDATE SET {}", COLUMNS.excluded());
    let rows = booked.iter().map(|(deposit, booked)| ([(*deposit).into()], booked));
    COLUMNS.insert_all(rows, &end).run(connection).await
}
