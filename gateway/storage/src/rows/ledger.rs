//! Entries of the ledger, their lines and the balances.

use std::collections::{BTreeMap, BTreeSet};

use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::{Account, Entry, Header, Line};
use checkout_domain::ports::Stored;
use checkout_domain::rates::asset::Asset;

use crate::statements::locks;
use crate::statements::row::{Row, bad};
use crate::{On, Transaction, Value, query, query_rows};

pub(crate) fn header(row: &Row) -> Stored<Header> {
    Ok(Header {
        id: row.parsed("id")?,
        business: row.parsed("business")?,
        cause: row.text("cause")?,
        payment: row.optional_parsed("payment")?,
    })
}

pub(crate) fn line(row: &Row) -> Stored<Line> {
    let (account, money) = of_account(row, "units")?;
    Ok(Line { account, money, price: row.optional_decimal("price")? })
}

fn of_account(row: &Row, units: &str) -> Stored<(Account, Money)> {
    let asset = row.word("asset", Asset::known)?;
    let units = row.text(units)?.parse().map_err(|_| bad(units))?;
    Ok((row.word("account", Account::known)?, Money { asset, units }))
}

/// Posts entries of one business. Returns how many were added.
pub(crate) async fn post_all(connection: &mut Transaction, entries: &[Entry]) -> Stored<usize> {
    let Some(business) = entries.first().map(|entry| &entry.header.business) else { return Ok(0) };
    assert!(entries.iter().all(|entry| entry.header.business == *business), "entries of one business");
    locks::hold_balances(connection, *business).await?;
    let causes = insert_entries(connection, entries).await?;
    let added: Vec<&Entry> = entries.iter().filter(|entry| causes.contains(&entry.header.cause)).collect();
    let mut lines: Vec<(&str, Line)> = Vec::new();
    for entry in &added {
        lines.extend(entry.lines().iter().map(|line| (entry.header.cause.as_str(), *line)));
    }
    if let (Some(last), false) = (added.last(), lines.is_empty()) {
        insert_lines(connection, &lines).await?;
        add_to_balances(connection, *business, &lines, &last.header.cause).await?;
    }
    Ok(added.len())
}

pub(crate) async fn balances<'a>(
    on: impl Into<On<'a>>,
    business: BusinessId,
) -> Stored<Vec<(Account, Money)>> {
    query("SELECT * FROM ledger_balances WHERE business = $1 ORDER BY asset, account")
        .bind(business)
        .read_all(on, |row| of_account(row, "balance"))
        .await
}

pub(crate) async fn balance(
    connection: &mut Transaction,
    business: BusinessId,
    account: Account,
    asset: Asset,
) -> Stored<Money> {
    let found = query("SELECT * FROM ledger_balances WHERE business = $1 AND asset = $2 AND account = $3")
        .bind(business)
        .bind(asset.code())
        .bind(account.as_str())
        .read_first(connection, |row| of_account(row, "balance"))
        .await?;
    Ok(found.map_or(Money::zero(asset), |(_, money)| money))
}

/// Returns the causes that were not known.
async fn insert_entries(connection: &mut Transaction, entries: &[Entry]) -> Stored<BTreeSet<String>> {
    let row = |Entry { header, .. }: &Entry| -> Vec<Value> {
        vec![(&header.cause).into(), header.business.into(), header.id.into(), header.payment.into()]
    };
    let text = |new: &str| {
        format!(
            "INSERT INTO ledger_entries (cause, business, id, payment) SELECT * FROM {new} WHERE TRUE
             ON CONFLICT (cause) DO NOTHING RETURNING cause"
        )
    };
    query_rows(Vec::new(), entries.iter().map(row).collect(), text)
        .read_all(connection, |row| row.text("cause"))
        .await
}

async fn insert_lines(connection: &mut Transaction, lines: &[(&str, Line)]) -> Stored<()> {
    let row = |(cause, line): &(&str, Line)| -> Vec<Value> {
        let (asset, account) = (line.money.asset.code(), line.account.as_str());
        let (units, price) = (line.money.units.to_string(), line.price.map(|price| price.to_string()));
        vec![(*cause).into(), asset.into(), account.into(), units.into(), price.into()]
    };
    let text = |new: &str| {
        format!("INSERT INTO ledger_lines (cause, asset, account, units, price) SELECT * FROM {new}")
    };
    query_rows(Vec::new(), lines.iter().map(row).collect(), text).run(connection).await
}

/// Panics, also in release builds, if the business's balances of a changed asset do not sum to zero afterwards, so that the
/// entries are not committed.
async fn add_to_balances(
    connection: &mut Transaction,
    business: BusinessId,
    lines: &[(&str, Line)],
    last: &str,
) -> Stored<()> {
    let mut known = BTreeMap::new();
    for (account, money) in balances(&mut *connection, business).await? {
        known.insert((money.asset.code(), account), money);
    }
    let mut changed: BTreeMap<_, Money> = BTreeMap::new();
    for (_, Line { account, money, .. }) in lines {
        let key = (money.asset.code(), *account);
        let before = || known.get(&key).copied().unwrap_or(Money::zero(money.asset));
        let balance = changed.entry(key).or_insert_with(before);
        *balance = balance.plus(*money);
    }
    let row = |((asset, account), balance): (&(&str, Account), &Money)| -> Vec<Value> {
        vec![business.into(), (*asset).into(), account.as_str().into(), balance.units.to_string().into()]
    };
    let text = |new: &str| {
        format!(
            "INSERT INTO ledger_balances (business, asset, account, balance) SELECT * FROM {new} WHERE TRUE
             ON CONFLICT (business, asset, account) DO UPDATE SET balance = excluded.balance"
        )
    };
    query_rows(Vec::new(), changed.iter().map(row).collect(), text).run(&mut *connection).await?;
    let mut sums: BTreeMap<&str, i128> = changed.keys().map(|(asset, _)| (*asset, 0)).collect();
    for (_, money) in balances(connection, business).await? {
        if let Some(sum) = sums.get_mut(money.asset.code()) {
            *sum += money.units;
        }
    }
    for (asset, sum) in sums {
        assert!(sum == 0, "after {last}, the ledger of {business} is out by {sum} units of {asset}");
    }
    Ok(())
}
