//! The port of the ledger.

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::filter::LedgerFilter;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::settlement::Depth;
use checkout_domain::ledger::{Account, Entry};
use checkout_domain::page::Page;
use checkout_domain::payment::pending::{CreditedDeposit, Pending};
use checkout_domain::ports::Stored;
use checkout_domain::ports::ledger::{LedgerStore, LedgerTx, ListedEntry};
use checkout_domain::rates::asset::Asset;
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::locks;
use crate::{Database, pages, query, rows};

#[async_trait]
impl LedgerStore for Database {
    async fn balances(&self, business: BusinessId) -> Stored<Vec<(Account, Money)>> {
        rows::ledger::balances(&self.readers, business).await
    }

    async fn balances_and_pending(&self, business: BusinessId) -> Stored<(Vec<(Account, Money)>, Pending)> {
        let mut snapshot = self.readers.snapshot().await?;
        let balances = rows::ledger::balances(&mut snapshot, business).await?;
        Ok((balances, rows::pending::of(&mut snapshot, business).await?))
    }

    async fn pending_on(&self, network: Network, height: u64, most: u32) -> Stored<Vec<CreditedDeposit>> {
        rows::pending::on(self, network, height, most).await
    }

    async fn entries(
        &self,
        business: BusinessId,
        filter: &LedgerFilter,
        page: &Page,
    ) -> Stored<Vec<ListedEntry>> {
        let mut snapshot = self.readers.snapshot().await?;
        pages::ledger::read(&mut snapshot, business, filter, page).await
    }

    async fn is_entry_of(&self, business: BusinessId, entry: Uuid) -> Stored<bool> {
        let found =
            query("SELECT 1 FROM ledger_entries WHERE id = $1 AND business = $2").bind(entry).bind(business);
        found.finds(&self.readers).await
    }
}

#[async_trait]
impl LedgerTx for SqlTx {
    async fn post(&mut self, entry: &Entry) -> Stored<bool> {
        Ok(rows::ledger::post_all(self.now().await?, std::slice::from_ref(entry)).await? == 1)
    }

    async fn post_all(&mut self, entries: &[Entry]) -> Stored<()> {
        if let Some(later) = self.later() {
            later.entries.extend_from_slice(entries);
            return Ok(());
        }
        rows::ledger::post_all(self.now().await?, entries).await?;
        Ok(())
    }

    async fn entry(&mut self, cause: &str) -> Stored<Option<Entry>> {
        let row = query("SELECT * FROM ledger_entries WHERE cause = $1")
            .bind(cause)
            .fetch_optional(self.now().await?)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let rows = query("SELECT * FROM ledger_lines WHERE cause = $1 ORDER BY asset, account")
            .bind(cause)
            .fetch_all(self.now().await?)
            .await?;
        let lines = rows.iter().map(rows::ledger::line).collect::<Stored<_>>()?;
        Ok(Some(Entry::stored(rows::ledger::header(&row)?, lines)))
    }

    async fn balance(&mut self, business: BusinessId, account: Account, asset: Asset) -> Stored<Money> {
        locks::hold_balances(self.now().await?, business).await?;
        rows::ledger::balance(self.now().await?, business, account, asset).await
    }

    async fn pending(&mut self, business: BusinessId) -> Stored<Pending> {
        rows::pending::of(self.now().await?, business).await
    }

    async fn put_depth(&mut self, deposit: Uuid, depth: Depth) -> Stored<bool> {
        rows::pending::put(self.now().await?, deposit, depth).await
    }
}
