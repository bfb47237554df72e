use async_trait::async_trait;
use uuid::Uuid;

use super::row::{Row, bad};
use super::tx::SqlTx;
use super::{Database, Transaction, locks, query};
use crate::domain::ledger::money::Money;
use crate::domain::ledger::{Account, Entry};
use crate::domain::rates::asset::Asset;
use crate::ports::Stored;
use crate::ports::ledger::{LedgerStore, LedgerTx};

pub(super) fn line(row: &Row, units: &str) -> Stored<(Account, Money)> {
    let asset = row.word("asset", Asset::known)?;
    let units = row.text(units)?.parse().map_err(|_| bad(units))?;
    Ok((row.word("account", Account::known)?, Money { asset, units }))
}

#[async_trait]
impl LedgerStore for Database {
    async fn balances(&self, business: Uuid) -> Stored<Vec<(Account, Money)>> {
        let rows = query("SELECT * FROM ledger_balances WHERE business = $1 ORDER BY asset, account")
            .bind(business.to_string())
            .fetch_all(&self.readers)
            .await?;
        rows.into_iter().map(|row| line(&row, "balance")).collect()
    }
}

#[async_trait]
impl LedgerTx for SqlTx {
    async fn post(&mut self, entry: &Entry) -> Stored<bool> {
        locks::hold_balances(&mut self.0, entry.business).await?;
        let business = entry.business.to_string();
        let done = query(
            "INSERT INTO ledger_entries (cause, business) VALUES ($1, $2) ON CONFLICT (cause) DO NOTHING",
        )
        .bind(&entry.cause)
        .bind(&business)
        .execute(&mut self.0)
        .await?;
        if done == 0 {
            return Ok(false);
        }
        for line in entry.lines() {
            let (asset, account) = (line.money.asset.code(), line.account.as_str());
            query("INSERT INTO ledger_lines (cause, asset, account, units) VALUES ($1, $2, $3, $4)")
                .bind(&entry.cause)
                .bind(asset)
                .bind(account)
                .bind(line.money.units.to_string())
                .execute(&mut self.0)
                .await?;
            let before = balance(&mut self.0, entry.business, line.account, line.money.asset).await?;
            query(
                "INSERT INTO ledger_balances (business, asset, account, balance) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (business, asset, account) DO UPDATE SET balance = excluded.balance",
            )
            .bind(&business)
            .bind(asset)
            .bind(account)
            .bind(before.plus(line.money).units.to_string())
            .execute(&mut self.0)
            .await?;
        }
        for line in entry.lines() {
            assert_balanced(self, entry, line.money.asset).await?;
        }
        Ok(true)
    }

    async fn entry(&mut self, cause: &str) -> Stored<Option<Entry>> {
        let row = query("SELECT business FROM ledger_entries WHERE cause = $1")
            .bind(cause)
            .fetch_optional(&mut self.0)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let business = row.parsed("business")?;
        let rows = query("SELECT * FROM ledger_lines WHERE cause = $1 ORDER BY asset, account")
            .bind(cause)
            .fetch_all(&mut self.0)
            .await?;
        let lines: Vec<_> = rows.into_iter().map(|row| line(&row, "units")).collect::<Stored<_>>()?;
        Ok(Some(Entry::new(business, cause.to_owned(), lines)))
    }

    async fn balance(&mut self, business: Uuid, account: Account, asset: Asset) -> Stored<Money> {
        locks::hold_balances(&mut self.0, business).await?;
        balance(&mut self.0, business, account, asset).await
    }
}

async fn balance(
    connection: &mut Transaction,
    business: Uuid,
    account: Account,
    asset: Asset,
) -> Stored<Money> {
    let row = query("SELECT * FROM ledger_balances WHERE business = $1 AND asset = $2 AND account = $3")
        .bind(business.to_string())
        .bind(asset.code())
        .bind(account.as_str())
        .fetch_optional(connection)
        .await?;
    row.map_or(Ok(Money::zero(asset)), |row| line(&row, "balance").map(|(_, money)| money))
}

/// Panics, also in release builds, if the business's balances of the asset do not sum to zero, so that the entry is
/// not committed.
async fn assert_balanced(tx: &mut SqlTx, entry: &Entry, asset: Asset) -> Stored<()> {
    let rows = query("SELECT * FROM ledger_balances WHERE business = $1 AND asset = $2")
        .bind(entry.business.to_string())
        .bind(asset.code())
        .fetch_all(&mut tx.0)
        .await?;
    let mut sum = 0;
    for row in rows {
        sum += line(&row, "balance")?.1.units;
    }
    assert!(
        sum == 0,
        "after {}, the ledger of {} is out by {sum} units of {}",
        entry.cause,
        entry.business,
        asset.code()
    );
    Ok(())
}
