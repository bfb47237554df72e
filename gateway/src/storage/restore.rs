//! Backups of a SQLite file, and the steps that make a restored database usable.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use checkout_core::chain::CHAINS;

use super::row::bad;
use super::{Database, Readers, query};
use crate::domain::chain::address_space::networks_of_account;
use crate::domain::chain::payout_hold::{RESTORED_AT, restored_sequence};
use crate::ports::{StoreError, Stored};

/// The result of checking a whole database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    pub payments: u64,
    pub deposits: u64,
    pub callbacks: u64,
    /// Payouts that were unsigned at the time of the backup: they may have been sent since.
    pub unsigned: Vec<String>,
    /// Errors, one sentence each.
    pub faults: Vec<String>,
}

impl Database {
    /// Writes a consistent copy to an empty or missing file during other reads and writes. Returns false on
    /// PostgreSQL, which has its own tools.
    pub async fn back_up(&self, file: &Path) -> Stored<bool> {
        let Readers::Sqlite(_) = &self.readers else { return Ok(false) };
        let path = file.to_str().ok_or_else(|| StoreError("the path is not Unicode".into()))?;
        query("VACUUM INTO $1").once().bind(path).execute(&self.readers).await?;
        std::fs::File::open(file)
            .and_then(|file| file.sync_all())
            .map_err(|error| StoreError(error.into()))?;
        Ok(true)
    }

    /// Checks everything and changes nothing.
    pub async fn inspect(&self) -> Stored<Inspection> {
        let mut found = Inspection {
            payments: self.rows("SELECT COUNT(*) AS rows FROM payments").await?,
            deposits: self.rows("SELECT COUNT(*) AS rows FROM deposits").await?,
            callbacks: self.rows("SELECT COUNT(*) AS rows FROM callbacks").await?,
            ..Inspection::default()
        };
        if let Readers::Sqlite(_) = &self.readers {
            for row in query("PRAGMA integrity_check").fetch_all(&self.readers).await? {
                let said = row.text("integrity_check")?;
                if said != "ok" {
                    found.faults.push(format!("The file is damaged: {said}."));
                }
            }
        }
        self.inspect_books(&mut found).await?;
        let waiting =
            query("SELECT id, kind, currency, network FROM payouts WHERE state = 'WAITING' ORDER BY id");
        for row in waiting.fetch_all(&self.readers).await? {
            let texts = ["kind", "id", "currency", "network"].map(|column| row.text(column));
            found.unsigned.push(texts.into_iter().collect::<Stored<Vec<_>>>()?.join(" "));
        }
        Ok(found)
    }

    /// Checks that balances match their entries and sum to zero.
    async fn inspect_books(&self, found: &mut Inspection) -> Stored<()> {
        let mut accounts: BTreeMap<(String, String, String), i128> = BTreeMap::new();
        let mut sums: BTreeMap<(String, String), i128> = BTreeMap::new();
        let lines = "SELECT business, asset, account, units FROM ledger_lines
             JOIN ledger_entries ON ledger_entries.cause = ledger_lines.cause";
        for row in query(lines).fetch_all(&self.readers).await? {
            let key = (row.text("business")?, row.text("asset")?, row.text("account")?);
            *accounts.entry(key).or_default() +=
                row.text("units")?.parse::<i128>().map_err(|_| bad("units"))?;
        }
        for row in query("SELECT * FROM ledger_balances").fetch_all(&self.readers).await? {
            let key = (row.text("business")?, row.text("asset")?, row.text("account")?);
            let balance: i128 = row.text("balance")?.parse().map_err(|_| bad("balance"))?;
            *sums.entry((key.0.clone(), key.1.clone())).or_default() += balance;
            let entered = accounts.remove(&key).unwrap_or_default();
            if entered != balance {
                let (business, asset, account) = key;
                found
                    .faults
                    .push(format!("{account} {asset} of business {business} is not the sum of its entries."));
            }
        }
        let missing = accounts.into_iter().filter(|(_, units)| *units != 0);
        found.faults.extend(missing.map(|((business, asset, account), _)| {
            format!("{account} {asset} of business {business} is missing.")
        }));
        let uneven = sums.into_iter().filter(|(_, sum)| *sum != 0);
        found.faults.extend(uneven.map(|((business, asset), _)| {
            format!("{asset} of business {business} does not add up to zero.")
        }));
        Ok(())
    }

    /// Skips the next `count` addresses of every network, which may have been given out after the backup.
    pub async fn skip_addresses(&self, count: u32) -> Stored<()> {
        let accounts =
            CHAINS.iter().map(|row| networks_of_account(row.network).iter().min().unwrap_or(&row.network));
        let mut change = self.change().await?;
        for network in accounts.collect::<BTreeSet<_>>() {
            query(
                "INSERT INTO address_indexes (network, next) VALUES ($1, $2)
                 ON CONFLICT (network) DO UPDATE SET next = address_indexes.next + excluded.next",
            )
            .bind(network.code())
            .bind(count)
            .execute(&mut change)
            .await?;
        }
        change.commit().await
    }

    /// Holds payouts that are not signed until they were compared with the chain. Returns how many.
    pub async fn hold_unsigned(&self, now: u64) -> Stored<u64> {
        let mut change = self.change().await?;
        let held = query(
            "INSERT INTO payout_holds (payout) SELECT id FROM payouts WHERE state = 'WAITING'
             ON CONFLICT (payout) DO UPDATE SET reason = NULL, decision = NULL, transaction_id = NULL",
        )
        .execute(&mut change)
        .await?;
        let numbers = query(
            "SELECT network, account, MAX(sequence) AS highest FROM payouts WHERE sequence IS NOT NULL
             GROUP BY network, account",
        );
        let mut settings = vec![(RESTORED_AT.to_owned(), now)];
        for row in numbers.fetch_all(&mut change).await? {
            let account = restored_sequence(row.parsed("network")?, &row.text("account")?);
            settings.push((account, row.number("highest")?));
        }
        for (key, value) in settings {
            query(
                "INSERT INTO settings (key, value) VALUES ($1, $2)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            )
            .bind(key)
            .bind(value.to_string())
            .execute(&mut change)
            .await?;
        }
        change.commit().await?;
        Ok(held)
    }

    async fn rows(&self, count: &'static str) -> Stored<u64> {
        query(count).fetch_one(&self.readers).await?.number("rows")
    }
}
