//! Backups of a SQLite file, and the check of a whole database.

mod file;
mod identity;
mod prepare;

use std::collections::BTreeMap;

pub use self::file::{Copied, DatabaseUse, fault_of, folder_of, release};
pub use self::prepare::Unprepared;

use checkout_domain::ports::Stored;

use crate::statements::row::bad;
use crate::{Database, Readers, query};

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

    async fn rows(&self, count: &'static str) -> Stored<u64> {
        query(count).fetch_one(&self.readers).await?.number("rows")
    }
}
