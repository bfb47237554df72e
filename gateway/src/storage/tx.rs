use async_trait::async_trait;
use checkout_core::{Currency, Network, network};
use uuid::Uuid;

use super::row::{bad, int};
use super::{
    Transaction, business_row, deposit_row, dust_row, locked, locks, owners, payment_row,
    payment_with_deposits, query, quote_row, session_row,
};
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::chain::Transfer;
use crate::domain::chain::address_space::networks_of_account;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::dust::DustSum;
use crate::domain::payment::{Payment, PaymentWithDeposits, Quote};
use crate::fail_point;
use crate::ports::{Owner, Stored, Tx};

pub(super) struct SqlTx(pub(super) Transaction);

#[async_trait]
impl Tx for SqlTx {
    async fn commit(self: Box<Self>) -> Stored<()> {
        fail_point::reach("commit.before");
        self.0.commit().await?;
        fail_point::reach("commit.after");
        Ok(())
    }

    async fn lock(&mut self, payments: &[Uuid]) -> Stored<()> {
        locks::hold_payments(&mut self.0, payments).await
    }

    async fn business(&mut self, id: Uuid) -> Stored<Option<Business>> {
        business_row::find_for_change(&mut self.0, id).await
    }

    async fn put_business(&mut self, business: &Business) -> Stored<()> {
        business_row::put(&mut self.0, business).await
    }

    async fn put_credential(&mut self, token: &TokenHash, caller: Caller, now: u64) -> Stored<()> {
        let business = match caller {
            Caller::Organisation => None,
            Caller::Business(id) => Some(id.to_string()),
            Caller::Session { .. } => return Err(bad("business")),
        };
        query(
            "INSERT INTO credentials (token_hash, business, created_at) VALUES ($1, $2, $3)
             ON CONFLICT (token_hash) DO UPDATE SET ends_at = NULL",
        )
        .bind(token.as_str())
        .bind(business)
        .bind(int(now))
        .execute(&mut self.0)
        .await?;
        Ok(())
    }

    async fn put_setting(&mut self, key: &str, value: &str) -> Stored<()> {
        query(
            "INSERT INTO settings (key, value) VALUES ($1, $2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        )
        .bind(key)
        .bind(value)
        .execute(&mut self.0)
        .await?;
        Ok(())
    }

    async fn put_setting_if_absent(&mut self, key: &str, value: &str) -> Stored<String> {
        // Writes the existing value again, which locks the row until the transaction ends.
        let row = query(
            "INSERT INTO settings (key, value) VALUES ($1, $2)
             ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value",
        )
        .bind(key)
        .bind(value)
        .fetch_one(&mut self.0)
        .await?;
        row.text("value")
    }

    async fn payment_by_client_id(&mut self, business: Uuid, id: &str) -> Stored<Option<(Uuid, String)>> {
        let row =
            query("SELECT id, request_hash FROM payments WHERE business = $1 AND client_payment_id = $2")
                .bind(business.to_string())
                .bind(id)
                .fetch_optional(&mut self.0)
                .await?;
        row.map(|row| Ok((row.parsed("id")?, row.text("request_hash")?))).transpose()
    }

    async fn insert_payment(&mut self, payment: &Payment, request_hash: &str) -> Stored<bool> {
        Ok(!payment_row::insert(&mut self.0, &[(payment, request_hash)]).await?.is_empty())
    }

    async fn payment(&mut self, id: Uuid) -> Stored<Option<PaymentWithDeposits>> {
        payment_with_deposits::read(
            &mut self.0,
            query(locked!("SELECT * FROM payments WHERE id = $1", "FOR NO KEY UPDATE")),
            id,
        )
        .await
    }

    async fn update_payment(&mut self, payment: &Payment) -> Stored<()> {
        payment_row::update(&mut self.0, payment).await
    }

    async fn insert_quote(&mut self, payment: Uuid, place: usize, quote: &Quote) -> Stored<()> {
        quote_row::insert(&mut self.0, payment, place, quote).await
    }

    async fn insert_deposit(&mut self, payment: Uuid, deposit: &Deposit) -> Stored<()> {
        deposit_row::insert(&mut self.0, payment, deposit).await
    }

    async fn update_deposit(&mut self, deposit: &Deposit) -> Stored<()> {
        deposit_row::update(&mut self.0, deposit).await
    }

    async fn owners(&mut self, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
        owners::of(&mut self.0, transfers).await
    }

    async fn add_dust(
        &mut self,
        payment: Uuid,
        network: Network,
        currency: Currency,
        more: &DustSum,
    ) -> Stored<()> {
        dust_row::add(&mut self.0, payment, network, currency, more).await
    }

    async fn address_of(
        &mut self,
        payment: Uuid,
        network: Network,
    ) -> Stored<Option<(String, Option<String>)>> {
        let row = query("SELECT address, tag FROM addresses WHERE payment = $1 AND network = $2")
            .bind(payment.to_string())
            .bind(network.code())
            .fetch_optional(&mut self.0)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let tag = row.text("tag")?;
        let has_tags = network.spec().tag != network::TagRule::None;
        Ok(Some((row.text("address")?, has_tags.then_some(tag))))
    }

    async fn next_index(&mut self, network: Network) -> Stored<u32> {
        let row = query(
            "INSERT INTO address_indexes (network, next) VALUES ($1, 1)
             ON CONFLICT (network) DO UPDATE SET next = address_indexes.next + 1
             RETURNING next",
        )
        .bind(networks_of_account(network).iter().min().unwrap_or(&network).code())
        .fetch_one(&mut self.0)
        .await?;
        row.number::<u32>("next")?.checked_sub(1).ok_or_else(|| bad("next"))
    }

    async fn insert_address(
        &mut self,
        payment: Uuid,
        network: Network,
        address: &str,
        tag: Option<&str>,
        now: u64,
    ) -> Stored<bool> {
        let done = query(
            "INSERT INTO addresses (network, address, tag, payment, created_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING",
        )
        .bind(network.code())
        .bind(address)
        .bind(tag.unwrap_or_default())
        .bind(payment.to_string())
        .bind(int(now))
        .execute(&mut self.0)
        .await?;
        Ok(done == 1)
    }

    async fn cursor(&mut self, network: Network) -> Stored<Option<String>> {
        // There may be no row to lock yet.
        locks::lock(&mut self.0, "cursor", network.code()).await?;
        let row = query("SELECT cursor FROM chain_cursors WHERE network = $1")
            .bind(network.code())
            .fetch_optional(&mut self.0)
            .await?;
        row.map(|row| row.text("cursor")).transpose()
    }

    async fn put_cursor(&mut self, network: Network, cursor: &str) -> Stored<()> {
        query(
            "INSERT INTO chain_cursors (network, cursor) VALUES ($1, $2)
             ON CONFLICT (network) DO UPDATE SET cursor = excluded.cursor",
        )
        .bind(network.code())
        .bind(cursor)
        .execute(&mut self.0)
        .await?;
        Ok(())
    }

    async fn put_session(&mut self, token: &TokenHash, payment: Uuid, now: u64) -> Stored<()> {
        session_row::insert(&mut self.0, &[(token, payment, now)]).await
    }
}
