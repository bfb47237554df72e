//! The networks of the sandbox. Their state is in the gateway's own database, so that it survives what
//! the gateway survives; the gateway reads them through the same trait as a real node.

pub mod broadcaster;
mod samples;
pub mod screening;

use async_trait::async_trait;
use checkout_core::{Decimal, Network};

use self::samples::{fee, sender, transaction_id};
use crate::domain::chain::{OutputId, OutputState, Transfer};
use crate::domain::rates::asset::Asset;
use crate::domain::sandbox_request::TransferRequest;
use crate::ports::{Chain, ChainError, Changes, Simulation, StoreError, Stored};
use crate::storage::{Database, Row, Transaction, locks, query};

/// Transfers that are read at a time.
const BATCH: i64 = 100;

/// One simulated network, as the watcher sees it.
#[derive(Clone, Debug)]
pub struct SimulatedChain {
    network: Network,
    database: Database,
}

impl SimulatedChain {
    pub fn new(network: Network, database: Database) -> Self {
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
        let rows = query(
            "SELECT * FROM sim_transfers WHERE network = $1 AND revision > $2 ORDER BY revision LIMIT $3",
        )
        .bind(self.network.code())
        .bind(after)
        .bind(BATCH)
        .fetch_all(&self.database.readers)
        .await?;
        let last = rows.last().map_or(Ok(after), |row| row.number("revision"))?;
        let transfers: Vec<Transfer> =
            rows.iter().map(|row| transfer(self.network, row)).collect::<Result<_, _>>()?;
        let more = i64::try_from(transfers.len()).is_ok_and(|count| count == BATCH);
        Ok(Changes { transfers, cursor: last.to_string(), more })
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let standing = standing(&self.database, &output.transaction).await?;
        Ok(standing.flatten().unwrap_or(0))
    }
}

/// How many blocks stand on a transfer: `None` for one that the network does not know, `Some(None)` for one in no block.
async fn standing(database: &Database, transaction_id: &str) -> Stored<Option<Option<u64>>> {
    let row = query(
        "SELECT sim_chains.height - sim_transfers.height + 1 AS blocks FROM sim_transfers
         LEFT JOIN sim_chains ON sim_chains.network = sim_transfers.network
         WHERE transaction_id = $1 AND dropped = 0",
    )
    .bind(transaction_id)
    .fetch_optional(&database.readers)
    .await?;
    row.map(|row| row.optional_number("blocks")).transpose()
}

fn transfer(network: Network, row: &Row) -> Result<Transfer, ChainError> {
    let height: Option<i64> = row.optional_number("height")?;
    let state = match (row.flag("dropped")?, height) {
        (true, _) => OutputState::Vanished,
        (false, Some(_)) => OutputState::Confirmed,
        (false, None) => OutputState::Unconfirmed,
    };
    Ok(Transfer {
        output: OutputId { network, transaction: row.text("transaction_id")?, index: 0 },
        currency: row.parsed("currency")?,
        amount: row.atoms("amount")?,
        to: row.text("address")?,
        tag: row.optional_text("tag")?,
        from: row.text("from_address")?,
        fee: row.text("fee")?,
        seen_at: row.number("seen_at")?,
        state,
        replaceable: row.flag("replaceable")?,
    })
}

/// The hands on the simulated networks: what `/sandbox/…` does.
#[derive(Clone, Debug)]
pub struct Simulator(pub Database);

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
        let mut tx = change(&self.0).await?;
        let revision = next_revision(&mut tx).await?;
        query(
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
        .execute(&mut tx)
        .await?;
        tx.commit().await?;
        Ok(id)
    }

    async fn mine(&self, network: Network, count: u32) -> Result<u64, ChainError> {
        let mut tx = change(&self.0).await?;
        let height = height(&mut tx, network).await?;
        let pending = query(
            "SELECT transaction_id FROM sim_transfers
             WHERE network = $1 AND height IS NULL AND dropped = 0 ORDER BY revision",
        )
        .bind(network.code())
        .fetch_all(&mut tx)
        .await?;
        for row in pending {
            revise(&mut tx, &row.text("transaction_id")?, Some(height + 1), false).await?;
        }
        let height = set_height(&mut tx, network, height + i64::from(count)).await?;
        tx.commit().await?;
        Ok(height)
    }

    async fn reorganise(&self, network: Network, depth: u32) -> Result<u64, ChainError> {
        let mut tx = change(&self.0).await?;
        let height = height(&mut tx, network).await?.saturating_sub(i64::from(depth)).max(0);
        let loose = query(
            "SELECT transaction_id FROM sim_transfers
             WHERE network = $1 AND height > $2 AND dropped = 0 ORDER BY revision",
        )
        .bind(network.code())
        .bind(height)
        .fetch_all(&mut tx)
        .await?;
        for row in loose {
            revise(&mut tx, &row.text("transaction_id")?, None, false).await?;
        }
        let height = set_height(&mut tx, network, height).await?;
        tx.commit().await?;
        Ok(height)
    }

    async fn drop_transfer(&self, id: &str) -> Result<Option<Network>, ChainError> {
        let mut tx = change(&self.0).await?;
        let row = query("SELECT network FROM sim_transfers WHERE transaction_id = $1")
            .bind(id)
            .fetch_optional(&mut tx)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let network = row.parsed("network")?;
        revise(&mut tx, id, None, true).await?;
        tx.commit().await?;
        Ok(Some(network))
    }

    async fn flag(&self, network: Network, address: &str, flagged: bool) -> Result<(), ChainError> {
        let sql = if flagged {
            "INSERT INTO sim_flags (network, address) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM sim_flags WHERE network = $1 AND address = $2"
        };
        self.0.apply(query(sql).bind(network.code()).bind(address)).await?;
        Ok(())
    }

    fn usual_sender(&self, network: Network) -> &'static str {
        sender(network)
    }

    async fn flagged(&self) -> Result<Vec<(Network, String)>, ChainError> {
        let rows = query("SELECT network, address FROM sim_flags ORDER BY network, address")
            .fetch_all(&self.0.readers)
            .await?;
        rows.iter().map(|row| Ok((row.parsed("network")?, row.text("address")?))).collect()
    }

    async fn keep_rate(&self, from: Asset, to: Asset, rate: Decimal) -> Result<(), ChainError> {
        let rate = query(
            "INSERT INTO sim_rates (from_asset, to_asset, rate) VALUES ($1, $2, $3)
             ON CONFLICT (from_asset, to_asset) DO UPDATE SET rate = excluded.rate",
        )
        .bind(from.code())
        .bind(to.code())
        .bind(rate.to_string());
        self.0.apply(rate).await?;
        Ok(())
    }

    async fn kept_rates(&self) -> Result<Vec<(Asset, Asset, Decimal)>, ChainError> {
        let rows = query("SELECT * FROM sim_rates").fetch_all(&self.0.readers).await?;
        let asset = |row: &Row, column| row.word(column, Asset::known);
        rows.iter()
            .map(|row| Ok((asset(row, "from_asset")?, asset(row, "to_asset")?, row.decimal("rate")?)))
            .collect()
    }
}

/// One change of the simulated networks at a time: revisions are committed in their order, so that a watcher skips none.
async fn change(database: &Database) -> Stored<Transaction> {
    let mut change = database.change().await?;
    locks::hold(&mut change, "simulation", "").await?;
    Ok(change)
}

async fn next_revision(connection: &mut Transaction) -> Stored<i64> {
    let row = query("SELECT COALESCE(MAX(revision), 0) + 1 AS next FROM sim_transfers");
    row.fetch_one(connection).await?.number("next")
}

async fn revise(
    connection: &mut Transaction,
    id: &str,
    height: Option<i64>,
    dropped: bool,
) -> Result<(), ChainError> {
    let revision = next_revision(&mut *connection).await?;
    query("UPDATE sim_transfers SET height = $2, dropped = $3, revision = $4 WHERE transaction_id = $1")
        .bind(id)
        .bind(height)
        .bind(dropped)
        .bind(revision)
        .execute(connection)
        .await?;
    Ok(())
}

async fn height(connection: &mut Transaction, network: Network) -> Result<i64, ChainError> {
    let row = query("SELECT height FROM sim_chains WHERE network = $1")
        .bind(network.code())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.number("height")).transpose()?.unwrap_or(0))
}

async fn set_height(connection: &mut Transaction, network: Network, height: i64) -> Result<u64, ChainError> {
    query(
        "INSERT INTO sim_chains (network, height) VALUES ($1, $2)
         ON CONFLICT (network) DO UPDATE SET height = excluded.height",
    )
    .bind(network.code())
    .bind(height)
    .execute(connection)
    .await?;
    Ok(u64::try_from(height).unwrap_or(0))
}

impl From<StoreError> for ChainError {
    fn from(error: StoreError) -> Self {
        Self(error.0)
    }
}
