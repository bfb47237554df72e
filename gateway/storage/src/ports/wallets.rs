//! The port of wallets.

use std::collections::BTreeMap;

use async_trait::async_trait;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::wallet::WalletRecord;
use checkout_domain::ports::Stored;
use checkout_domain::ports::wallets::{WalletStore, WalletTx};
use checkout_domain::rates::asset::Asset;

use crate::changes::tx::SqlTx;
use crate::statements::row::Row;
use crate::{Database, query};

fn money(row: &Row, units: &str) -> Stored<Money> {
    Ok(Money { asset: row.word("asset", Asset::known)?, units: row.parsed(units)? })
}

#[async_trait]
impl WalletStore for Database {
    async fn wallet_books(&self) -> Stored<Vec<Money>> {
        let moved: Vec<Money> =
            query("SELECT asset, balance FROM ledger_balances WHERE account IN ('CHAIN', 'COSTS')")
                .read_all(&self.readers, |row| money(row, "balance"))
                .await?;
        let mut sums: BTreeMap<&str, Money> = BTreeMap::new();
        for money in moved {
            let sum = sums.entry(money.asset.code()).or_insert(Money::zero(money.asset));
            *sum = sum.less(money);
        }
        Ok(sums.into_values().collect())
    }

    async fn wallet_records(&self) -> Stored<Vec<WalletRecord>> {
        query("SELECT * FROM wallet_records ORDER BY recorded_at, id")
            .read_all(&self.readers, |row| {
                Ok(WalletRecord {
                    id: row.parsed("id")?,
                    money: money(row, "units")?,
                    by: row.text("recorded_by")?,
                    why: row.text("why")?,
                    at: row.number("recorded_at")?,
                })
            })
            .await
    }
}

#[async_trait]
impl WalletTx for SqlTx {
    async fn put_wallet_record(&mut self, record: &WalletRecord) -> Stored<()> {
        query(
            "INSERT INTO wallet_records (id, asset, units, recorded_by, why, recorded_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(record.id)
        .bind(record.money.asset.code())
        .bind(record.money.units.to_string())
        .bind(&record.by)
        .bind(&record.why)
        .bind(record.at)
        .run(self.now().await?)
        .await
    }
}
