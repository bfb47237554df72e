//! Implements [`ValuationStore`] and [`ValuationTx`].

use async_trait::async_trait;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::Stored;
use checkout_domain::ports::valuations::{BeingValued, ValuationStore, ValuationTx};
use checkout_domain::rates::market::{MarketRate, MarketRates};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::statements::row::Row;
use crate::{Database, PAGE, query};

#[async_trait]
impl ValuationStore for Database {
    async fn being_valued(&self, after: Option<Uuid>) -> Stored<Vec<BeingValued>> {
        query(
            "SELECT deposits.id, deposits.payment, deposits.currency, payments.display_currency,
                 valuations.rate, valuations.uniform_rate
             FROM deposits JOIN payments ON payments.id = deposits.payment LEFT JOIN valuations ON valuations.deposit = deposits.id
             WHERE deposits.being_valued = 1 AND deposits.state <> 'VANISHED' AND deposits.id > $1
             ORDER BY deposits.id LIMIT $2",
        )
        .bind(after.map_or_else(String::new, |id| id.to_string()))
        .bind(PAGE)
        .read_all(&self.readers, read)
        .await
    }
}

fn read(row: &Row) -> Stored<BeingValued> {
    let given = row.optional_decimal("rate")?.zip(row.optional_decimal("uniform_rate")?);
    Ok(BeingValued {
        deposit: row.parsed("id")?,
        payment: row.parsed("payment")?,
        currency: row.parsed("currency")?,
        fiat: row.parsed("display_currency")?,
        given: given.map(|(display, uniform)| MarketRates { display, uniform: MarketRate::new(uniform) }),
    })
}

#[async_trait]
impl ValuationTx for SqlTx {
    async fn value_deposit(&mut self, deposit: &Deposit) -> Stored<()> {
        query(
            "UPDATE deposits SET being_valued = 0, rate = $1, uniform_rate = $2, price_rate = $3, rate_type = $4,
                 display_amount = $5, uniform_amount = $6
             WHERE id = $7",
        )
        .bind(deposit.rate.to_string())
        .bind(deposit.uniform_rate.to_string())
        .bind(deposit.price_rate.map(|rate| rate.to_string()))
        .bind(deposit.rate_type.as_str())
        .bind(deposit.display_amount.to_string())
        .bind(deposit.uniform_amount.to_string())
        .bind(deposit.id)
        .execute(self.now().await?)
        .await
        .map(drop)
    }

    async fn give_rates(&mut self, deposit: Uuid, rates: MarketRates, now: u64) -> Stored<()> {
        query(
            "INSERT INTO valuations (deposit, rate, uniform_rate, given_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (deposit) DO UPDATE SET rate = excluded.rate, uniform_rate = excluded.uniform_rate,
                 given_at = excluded.given_at",
        )
        .bind(deposit)
        .bind(rates.display.to_string())
        .bind(rates.uniform.eur().to_string())
        .bind(now)
        .execute(self.now().await?)
        .await
        .map(drop)
    }
}
