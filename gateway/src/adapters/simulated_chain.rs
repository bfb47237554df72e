//! The networks of the sandbox. Their state is in the gateway's own database, so that it survives what
//! the gateway survives; the gateway reads them through the same trait as a real node.

pub mod broadcaster;
mod samples;

use async_trait::async_trait;
use checkout_core::{Amount, Currency, Decimal, Network, decimal};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

use self::samples::{fee, sender, transaction_id};
use super::sqlite::Sqlite;
use crate::domain::asset::Asset;
use crate::domain::deposit::{OutputId, OutputState, Transfer};
use crate::domain::sandbox_request::TransferRequest;
use crate::ports::{Chain, ChainError, Changes, Simulation};

/// Transfers that are read at a time.
const BATCH: i64 = 100;

/// One simulated network, as the watcher sees it.
#[derive(Clone, Debug)]
pub struct SimulatedChain {
    network: Network,
    database: Sqlite,
}

impl SimulatedChain {
    pub fn new(network: Network, database: Sqlite) -> Self {
        Self { network, database }
    }
}

#[async_trait]
impl Chain for SimulatedChain {
    fn network(&self) -> Network {
        self.network
    }

    /// The cursor is the revision of the last transfer that was read.
    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        let after: i64 = cursor.map_or(Ok(0), str::parse).map_err(|error| ChainError(Box::new(error)))?;
        let rows = sqlx::query(
            "SELECT * FROM sim_transfers WHERE network = $1 AND revision > $2 ORDER BY revision LIMIT $3",
        )
        .bind(self.network.code())
        .bind(after)
        .bind(BATCH)
        .fetch_all(&self.database.readers)
        .await?;
        let last = rows.last().map_or(Ok(after), |row| row.try_get("revision"))?;
        let transfers: Vec<Transfer> =
            rows.iter().map(|row| transfer(self.network, row)).collect::<Result<_, _>>()?;
        let more = i64::try_from(transfers.len()).is_ok_and(|count| count == BATCH);
        Ok(Changes { transfers, cursor: last.to_string(), more })
    }
}

fn transfer(network: Network, row: &SqliteRow) -> Result<Transfer, ChainError> {
    let text = |column: &str| row.try_get::<String, _>(column);
    let bad = |column: &str| ChainError(format!("column {column} cannot be read").into());
    let height: Option<i64> = row.try_get("height")?;
    let state = match (row.try_get::<bool, _>("dropped")?, height) {
        (true, _) => OutputState::Vanished,
        (false, Some(_)) => OutputState::Confirmed,
        (false, None) => OutputState::Unconfirmed,
    };
    Ok(Transfer {
        output: OutputId { network, transaction: text("transaction_id")?, index: 0 },
        currency: text("currency")?.parse::<Currency>().map_err(|_| bad("currency"))?,
        amount: Amount::parse(&text("amount")?, 0).map_err(|_| bad("amount"))?,
        to: text("address")?,
        tag: row.try_get("tag")?,
        from: text("from_address")?,
        fee: text("fee")?,
        seen_at: u64::try_from(row.try_get::<i64, _>("seen_at")?).map_err(|_| bad("seen_at"))?,
        state,
        replaceable: row.try_get("replaceable")?,
    })
}

/// The hands on the simulated networks: what `/sandbox/…` does.
#[derive(Clone, Debug)]
pub struct Simulator(pub Sqlite);

#[async_trait]
impl Simulation for Simulator {
    async fn send(
        &self,
        request: &TransferRequest,
        now: u64,
        random: [u8; 32],
    ) -> Result<String, ChainError> {
        let network = request.pair.network;
        let id = transaction_id(network, random);
        let mut tx = self.0.writer.begin_with("BEGIN IMMEDIATE").await?;
        let revision = next_revision(&mut tx).await?;
        sqlx::query(
            "INSERT INTO sim_transfers (network, transaction_id, currency, address, tag, amount, from_address,
                 fee, seen_at, height, dropped, revision, replaceable)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, 0, $10, $11)",
        )
        .bind(network.code())
        .bind(&id)
        .bind(request.pair.currency.code())
        .bind(&request.address)
        .bind(&request.tag)
        .bind(request.amount.atoms().to_string())
        .bind(request.from.as_deref().unwrap_or_else(|| sender(network)))
        .bind(fee(network))
        .bind(i64::try_from(now).unwrap_or(i64::MAX))
        .bind(revision)
        .bind(request.replaceable)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(id)
    }

    async fn mine(&self, network: Network, count: u32) -> Result<u64, ChainError> {
        let mut tx = self.0.writer.begin_with("BEGIN IMMEDIATE").await?;
        let height = height(&mut tx, network).await?;
        let pending: Vec<String> = sqlx::query_scalar(
            "SELECT transaction_id FROM sim_transfers
             WHERE network = $1 AND height IS NULL AND dropped = 0 ORDER BY revision",
        )
        .bind(network.code())
        .fetch_all(&mut *tx)
        .await?;
        for id in pending {
            revise(&mut tx, &id, Some(height + 1), false).await?;
        }
        let height = set_height(&mut tx, network, height + i64::from(count)).await?;
        tx.commit().await?;
        Ok(height)
    }

    async fn reorganise(&self, network: Network, depth: u32) -> Result<u64, ChainError> {
        let mut tx = self.0.writer.begin_with("BEGIN IMMEDIATE").await?;
        let height = height(&mut tx, network).await?.saturating_sub(i64::from(depth)).max(0);
        let loose: Vec<String> = sqlx::query_scalar(
            "SELECT transaction_id FROM sim_transfers
             WHERE network = $1 AND height > $2 AND dropped = 0 ORDER BY revision",
        )
        .bind(network.code())
        .bind(height)
        .fetch_all(&mut *tx)
        .await?;
        for id in loose {
            revise(&mut tx, &id, None, false).await?;
        }
        let height = set_height(&mut tx, network, height).await?;
        tx.commit().await?;
        Ok(height)
    }

    async fn drop_transfer(&self, id: &str) -> Result<Option<Network>, ChainError> {
        let mut tx = self.0.writer.begin_with("BEGIN IMMEDIATE").await?;
        let network: Option<String> =
            sqlx::query_scalar("SELECT network FROM sim_transfers WHERE transaction_id = $1")
                .bind(id)
                .fetch_optional(&mut *tx)
                .await?;
        let Some(network) = network.and_then(|code| code.parse().ok()) else { return Ok(None) };
        revise(&mut tx, id, None, true).await?;
        tx.commit().await?;
        Ok(Some(network))
    }

    async fn keep_rate(&self, from: Asset, to: Asset, rate: Decimal) -> Result<(), ChainError> {
        sqlx::query(
            "INSERT INTO sim_rates (from_asset, to_asset, rate) VALUES ($1, $2, $3)
             ON CONFLICT (from_asset, to_asset) DO UPDATE SET rate = excluded.rate",
        )
        .bind(from.code())
        .bind(to.code())
        .bind(rate.to_string())
        .execute(&self.0.writer)
        .await?;
        Ok(())
    }

    async fn kept_rates(&self) -> Result<Vec<(Asset, Asset, Decimal)>, ChainError> {
        let rows: Vec<(String, String, String)> =
            sqlx::query_as("SELECT from_asset, to_asset, rate FROM sim_rates")
                .fetch_all(&self.0.readers)
                .await?;
        let known = |(from, to, rate): (String, String, String)| {
            Some((Asset::known(&from)?, Asset::known(&to)?, decimal::parse(&rate, 8).ok()?))
        };
        Ok(rows.into_iter().filter_map(known).collect())
    }
}

async fn next_revision(connection: &mut SqliteConnection) -> Result<i64, ChainError> {
    Ok(sqlx::query_scalar("SELECT COALESCE(MAX(revision), 0) + 1 FROM sim_transfers")
        .fetch_one(connection)
        .await?)
}

async fn revise(
    connection: &mut SqliteConnection,
    id: &str,
    height: Option<i64>,
    dropped: bool,
) -> Result<(), ChainError> {
    let revision = next_revision(&mut *connection).await?;
    sqlx::query(
        "UPDATE sim_transfers SET height = $2, dropped = $3, revision = $4 WHERE transaction_id = $1",
    )
    .bind(id)
    .bind(height)
    .bind(dropped)
    .bind(revision)
    .execute(connection)
    .await?;
    Ok(())
}

async fn height(connection: &mut SqliteConnection, network: Network) -> Result<i64, ChainError> {
    let height = sqlx::query_scalar("SELECT height FROM sim_chains WHERE network = $1")
        .bind(network.code())
        .fetch_optional(connection)
        .await?;
    Ok(height.unwrap_or(0))
}

async fn set_height(
    connection: &mut SqliteConnection,
    network: Network,
    height: i64,
) -> Result<u64, ChainError> {
    sqlx::query(
        "INSERT INTO sim_chains (network, height) VALUES ($1, $2)
         ON CONFLICT (network) DO UPDATE SET height = excluded.height",
    )
    .bind(network.code())
    .bind(height)
    .execute(connection)
    .await?;
    Ok(u64::try_from(height).unwrap_or(0))
}

impl From<sqlx::Error> for ChainError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.into())
    }
}
