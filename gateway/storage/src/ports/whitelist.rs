//! The port of whitelisted addresses.

use async_trait::async_trait;
use checkout_core::Currency;
use checkout_domain::ids::BusinessId;
use checkout_domain::page::{Page, Period};
use checkout_domain::ports::Stored;
use checkout_domain::ports::whitelist::{WhitelistStore, WhitelistTx};
use checkout_domain::withdrawal::whitelist::{WhitelistEntry, WhitelistFilter};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::columns::columns;
use crate::statements::conditions::Conditions;
use crate::{Database, query, rows};

columns! {
    "whitelisted_addresses": entry: WhitelistEntry, from row;
    given {
        Once "request_hash";
    }
    fields {
        Key id = entry.id => parsed;
        Once business = entry.business => parsed;
        Once client_address_id = &entry.client_address_id => text;
        Once address = &entry.address => text;
        Once tag = &entry.tag => optional_text;
        Once label = &entry.label => optional_text;
        Once created_at = entry.created_at => number;
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
        let mut conditions = Conditions::of_business("business", business);
        conditions.equal("id", filter.id);
        conditions.equal("client_address_id", filter.client_address_id.as_ref());
        conditions.equal("currency", filter.currency.map(Currency::code));
        conditions.equal("label", filter.label.as_ref());
        let end = conditions.page("id", &Period::default(), page);
        let text =
            format!("SELECT * FROM whitelisted_addresses WHERE {} ORDER BY id {end}", conditions.text());
        Ok(page.in_order(conditions.statement(text).read_all(&self.readers, read).await?))
    }

    async fn is_whitelisted(&self, business: BusinessId, id: Uuid) -> Stored<bool> {
        query("SELECT 1 FROM whitelisted_addresses WHERE business = $1 AND id = $2")
            .bind(business)
            .bind(id)
            .finds(&self.readers)
            .await
    }
}

#[async_trait]
impl WhitelistTx for SqlTx {
    async fn whitelisted_by_client_id(
        &mut self,
        business: BusinessId,
        client_address_id: &str,
    ) -> Stored<Option<(WhitelistEntry, String)>> {
        query("SELECT * FROM whitelisted_addresses WHERE business = $1 AND client_address_id = $2")
            .bind(business)
            .bind(client_address_id)
            .read_first(self.now().await?, |row| Ok((read(row)?, row.text("request_hash")?)))
            .await
    }

    async fn insert_whitelisted(&mut self, entry: &WhitelistEntry, request_hash: &str) -> Stored<bool> {
        let end = || "ON CONFLICT (business, client_address_id) DO NOTHING".to_owned();
        let insert = COLUMNS.insert([request_hash.into()], entry, end);
        insert.changed(self.now().await?).await
    }
}
