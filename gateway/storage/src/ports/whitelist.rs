//! The port of whitelisted addresses.

use async_trait::async_trait;
use checkout_core::Currency;
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::Stored;
use checkout_domain::ports::whitelist::{WhitelistStore, WhitelistTx};
use checkout_domain::withdrawal::whitelist::{WhitelistEntry, WhitelistFilter};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::columns::columns;
use crate::statements::row::int;
use crate::{Database, query, rows};

columns! {
    "whitelisted_addresses": entry: WhitelistEntry, from row;
    given {
        Once "request_hash";
    }
    fields {
        Key id = entry.id.to_string() => parsed;
        Once business = entry.business.to_string() => parsed;
        Once client_address_id = &entry.client_address_id => text;
        Once address = &entry.address => text;
        Once tag = &entry.tag => optional_text;
        Once label = &entry.label => optional_text;
        Once created_at = int(entry.created_at) => number;
    }
    columns {
        Once "currency" = entry.pair.currency.code();
        Once "network" = entry.pair.network.code();
    }
    others {
        pair = rows::payout::pair(row)?;
    }
}

#[async_trait]
impl WhitelistStore for Database {
    async fn whitelisted(
        &self,
        business: BusinessId,
        filter: &WhitelistFilter,
        page: &Page,
    ) -> Stored<Vec<WhitelistEntry>> {
        let (above, below) = page.bounds();
        let order = if page.is_newest_first() { "DESC" } else { "ASC" };
        let sql = format!(
            "SELECT * FROM whitelisted_addresses
             WHERE business = $1 AND ($2 IS NULL OR id = $2) AND ($3 IS NULL OR client_address_id = $3)
                 AND ($4 IS NULL OR currency = $4) AND ($5 IS NULL OR label = $5)
                 AND ($6 IS NULL OR id > $6) AND ($7 IS NULL OR id < $7)
             ORDER BY id {order} LIMIT $8"
        );
        let rows = query(sql)
            .bind(business.to_string())
            .bind(filter.id.map(|id| id.to_string()))
            .bind(&filter.client_address_id)
            .bind(filter.currency.map(Currency::code))
            .bind(&filter.label)
            .bind(above.map(|id| id.to_string()))
            .bind(below.map(|id| id.to_string()))
            .bind(i64::from(page.limit))
            .fetch_all(&self.readers)
            .await?;
        let entries: Vec<WhitelistEntry> = rows.into_iter().map(|row| read(&row)).collect::<Stored<_>>()?;
        Ok(page.in_order(entries))
    }

    async fn is_whitelisted(&self, business: BusinessId, id: Uuid) -> Stored<bool> {
        let row = query("SELECT 1 FROM whitelisted_addresses WHERE business = $1 AND id = $2")
            .bind(business.to_string())
            .bind(id.to_string())
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.is_some())
    }
}

#[async_trait]
impl WhitelistTx for SqlTx {
    async fn whitelisted_by_client_id(
        &mut self,
        business: BusinessId,
        client_address_id: &str,
    ) -> Stored<Option<(WhitelistEntry, String)>> {
        let row = query("SELECT * FROM whitelisted_addresses WHERE business = $1 AND client_address_id = $2")
            .bind(business.to_string())
            .bind(client_address_id)
            .fetch_optional(self.now().await?)
            .await?;
        row.map(|row| Ok((read(&row)?, row.text("request_hash")?))).transpose()
    }

    async fn insert_whitelisted(&mut self, entry: &WhitelistEntry, request_hash: &str) -> Stored<bool> {
        let end = || "ON CONFLICT (business, client_address_id) DO NOTHING".to_owned();
        let insert = COLUMNS.insert([request_hash.into()], entry, end);
        let done = insert.execute(self.now().await?).await?;
        Ok(done == 1)
    }
}
