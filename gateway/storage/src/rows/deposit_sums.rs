//! The sums of a payment's deposits, as JSON: they are read and written whole. Amounts are texts of atoms.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Network};
use checkout_domain::payment::coverage::{CoverSums, Group};
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::ports::{StoreError, Stored};
use serde::{Deserialize, Serialize};

use crate::statements::row::{Row, bad};
use crate::{Query, Transaction, by_statement, parameters, placeholders, query_rows};

#[derive(Deserialize, Serialize)]
struct Record {
    last_seq: u32,
    /// Currency, network, sum.
    pairs: Vec<(String, String, String)>,
    /// Index of the quote, sum.
    at_quotes: Vec<(usize, String)>,
    paying: Cover,
    confirmed: Cover,
}

#[derive(Deserialize, Serialize)]
struct Cover {
    /// Currency, network, least, most, total.
    groups: Vec<(String, String, String, String, String)>,
    valued: String,
    received: String,
}

pub(crate) async fn of_payments(
    connection: &mut Transaction,
    payments: &[PaymentId],
) -> Stored<BTreeMap<PaymentId, DepositSums>> {
    let mut found = BTreeMap::new();
    for some in by_statement(payments, 1) {
        let text = format!("SELECT * FROM deposit_sums WHERE payment IN ({})", parameters(some.len()));
        let statement = query_rows(text, some.len(), 1).bind_all(some.iter().copied());
        for row in statement.fetch_all(&mut *connection).await? {
            found.insert(row.parsed("payment")?, read(&row)?);
        }
    }
    Ok(found)
}

pub(crate) async fn put(connection: &mut Transaction, all: &[(PaymentId, &DepositSums)]) -> Stored<()> {
    for some in by_statement(all, 3) {
        let text = format!(
            "INSERT INTO deposit_sums (payment, quotes, sums) VALUES {}
             ON CONFLICT (payment) DO UPDATE SET quotes = excluded.quotes, sums = excluded.sums",
            placeholders(some.len(), 3)
        );
        let mut statement: Query = query_rows(text, some.len(), 3);
        for (payment, sums) in some {
            let json = serde_json::to_string(&record(sums)).map_err(|error| StoreError(error.into()))?;
            statement = statement.bind(*payment).bind(sums.quotes as u64).bind(json);
        }
        statement.execute(&mut *connection).await?;
    }
    Ok(())
}

fn record(sums: &DepositSums) -> Record {
    let pair = |(currency, network): &(Currency, Network)| (currency.code().into(), network.code().into());
    let cover = |sums: &CoverSums| {
        let group = |(key, group): (&(Currency, Network), &Group)| {
            let (currency, network) = pair(key);
            (currency, network, text(group.least), text(group.most), text(group.total))
        };
        let groups = sums.groups.iter().map(group).collect();
        Cover { groups, valued: text(sums.valued), received: text(sums.received) }
    };
    let of_pair = |(key, sum): (&(Currency, Network), &Amount)| {
        let (currency, network) = pair(key);
        (currency, network, text(*sum))
    };
    Record {
        last_seq: sums.last_seq,
        pairs: sums.pairs.iter().map(of_pair).collect(),
        at_quotes: sums.at_quotes.iter().map(|(place, sum)| (*place, text(*sum))).collect(),
        paying: cover(&sums.paying),
        confirmed: cover(&sums.confirmed),
    }
}

fn read(row: &Row) -> Stored<DepositSums> {
    let json = row.text("sums")?;
    let record: Record = serde_json::from_str(&json).map_err(|error| StoreError(error.into()))?;
    let pairs = record.pairs.iter();
    let pairs = pairs.map(|(currency, network, sum)| Ok((pair(currency, network)?, atoms(sum)?)));
    let at_quotes = record.at_quotes.iter().map(|(place, sum)| Ok((*place, atoms(sum)?)));
    Ok(DepositSums {
        quotes: row.number("quotes")?,
        last_seq: record.last_seq,
        pairs: pairs.collect::<Stored<_>>()?,
        at_quotes: at_quotes.collect::<Stored<_>>()?,
        paying: cover(&record.paying)?,
        confirmed: cover(&record.confirmed)?,
    })
}

fn cover(cover: &Cover) -> Stored<CoverSums> {
    let group = |(currency, network, least, most, total): &(String, String, String, String, String)| {
        let group = Group { least: atoms(least)?, most: atoms(most)?, total: atoms(total)? };
        Ok((pair(currency, network)?, group))
    };
    Ok(CoverSums {
        groups: cover.groups.iter().map(group).collect::<Stored<_>>()?,
        valued: atoms(&cover.valued)?,
        received: atoms(&cover.received)?,
    })
}

fn pair(currency: &str, network: &str) -> Stored<(Currency, Network)> {
    let bad = |_| bad("sums");
    Ok((currency.parse().map_err(bad)?, network.parse().map_err(|_| self::bad("sums"))?))
}

fn text(amount: Amount) -> String {
    amount.atoms().to_string()
}

fn atoms(text: &str) -> Stored<Amount> {
    Amount::parse(text, 0).map_err(|_| bad("sums"))
}
