//! The port of counters.

use async_trait::async_trait;
use checkout_domain::access::token::TokenHash;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::{Page, Period};
use checkout_domain::ports::Stored;
use checkout_domain::ports::sales::{CounterStore, CounterTx};
use checkout_domain::sale::counter::Counter;
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::columns::columns;
use crate::statements::conditions::Conditions;
use crate::statements::locks;
use crate::{Database, query};

columns! {
    "counters": counter: Counter, from row;
    fields {
        Key id = counter.id => parsed;
        Once business = counter.business => parsed;
        Once title = &counter.title => text;
        Once created_at = counter.created_at => number;
        Changes withdrawn_at = counter.withdrawn_at => optional_number;
    }
    columns {
        Once "currency" = counter.fiat.code();
        Once "max_amount" = counter.max.to_string();
        Once "secret_hash" = counter.secret.as_str();
    }
    others {
        fiat = row.parsed("currency")?;
        max = row.decimal("max_amount")?;
        secret = TokenHash::stored(row.text("secret_hash")?);
    }
}

#[async_trait]
impl CounterStore for Database {
    async fn counters(&self, business: BusinessId, page: &Page) -> Stored<Vec<Counter>> {
        let mut conditions = Conditions::of_business("business", business);
        let end = conditions.page("id", &Period::default(), page);
        let condition = conditions.take();
        let text = format!("SELECT * FROM counters WHERE {condition} ORDER BY id {end}");
        Ok(page.in_order(conditions.statement(text).read_all(&self.readers, read).await?))
    }

    async fn counter(&self, id: Uuid) -> Stored<Option<Counter>> {
        query("SELECT * FROM counters WHERE id = $1").bind(id).read_first(&self.readers, read).await
    }

    async fn counter_by_secret(&self, secret: &TokenHash) -> Stored<Option<Counter>> {
        query("SELECT * FROM counters WHERE secret_hash = $1")
            .bind(secret.as_str())
            .read_first(&self.readers, read)
            .await
    }

    async fn is_counter_sale(&self, counter: Uuid, payment: PaymentId) -> Stored<bool> {
        let found = query("SELECT payment FROM counter_sales WHERE payment = $1 AND counter = $2")
            .bind(payment)
            .bind(counter)
            .read_first(&self.readers, |row| row.text("payment"))
            .await?;
        Ok(found.is_some())
    }
}

#[async_trait]
impl CounterTx for SqlTx {
    async fn insert_counter(&mut self, counter: &Counter) -> Stored<()> {
        COLUMNS.insert([], counter, String::new).run(self.now().await?).await
    }

    async fn counter_to_sell(&mut self, id: Uuid) -> Stored<Option<Counter>> {
        locks::hold_counter(self.now().await?, id).await?;
        query("SELECT * FROM counters WHERE id = $1").bind(id).read_first(self.now().await?, read).await
    }

    async fn update_counter(&mut self, counter: &Counter) -> Stored<()> {
        COLUMNS.update(std::iter::once(counter)).run(self.now().await?).await
    }

    async fn insert_counter_sale(&mut self, counter: Uuid, payment: PaymentId) -> Stored<()> {
        query("INSERT INTO counter_sales (payment, counter) VALUES ($1, $2)")
            .bind(payment)
            .bind(counter)
            .run(self.now().await?)
            .await
    }
}
