//! The simulated networks. Their state is in the gateway's database and survives restarts with it. The gateway reads
//! them through the same trait as a real node.

pub mod broadcaster;
pub mod samples;
pub mod screening;
pub mod simulator;

use async_trait::async_trait;
use checkout_core::Network;

use checkout_gateway::domain::chain::source::{Check, Tip};
use checkout_gateway::domain::chain::{OutputId, OutputState, Transfer};
use checkout_gateway::ports::{Chain, ChainError, Changes, Stored};
use checkout_gateway::storage::{Database, Row, Transaction, Value, locks, query};

/// Maximum number of transfers per read.
const BATCH: i64 = 100;

/// One simulated network, as the watcher reads it.
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

    /// The cursor is the revision of the last transfer read.
    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        let after: i64 = cursor.map_or(Ok(0), str::parse).map_err(|error| ChainError(Box::new(error)))?;
        let rows = query(
            "SELECT * FROM sim_transfers WHERE network = $1 AND revision > $2 ORDER BY revision LIMIT $3",
        )
        .bind(self.network.code())
        .bind(after)
        .bind(BATCH)
        .fetch_all(self.database.readers())
        .await?;
        let last = rows.last().map_or(Ok(after), |row| row.number("revision"))?;
        let transfers: Vec<Transfer> =
            rows.iter().map(|row| transfer(self.network, row)).collect::<Result<_, _>>()?;
        let more = i64::try_from(transfers.len()).is_ok_and(|count| count == BATCH);
        Ok(Changes { transfers, cursor: last.to_string(), more })
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let depth = depth(&self.database, &output.transaction).await?;
        Ok(depth.flatten().unwrap_or(0))
    }

    /// Simulated blocks have no time. The height replaces the hash: blocks of one height are equal.
    async fn tip(&self) -> Result<Tip, ChainError> {
        let row = query("SELECT height FROM sim_chains WHERE network = $1")
            .bind(self.network.code())
            .fetch_optional(self.database.readers())
            .await?;
        let height = row.map_or(Ok(0), |row| row.number("height"))?;
        Ok(Tip { height, hash: format!("{}-{height}", self.network), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        vec![match self.tip().await {
            Ok(tip) => Check::good("chain", format!("simulated, {} blocks", tip.height)),
            Err(error) => Check::fault("chain", error.to_string()),
        }]
    }
}

/// Returns the confirmations of a transfer: `None` if the network does not have it, `Some(None)` if it is not
/// in a block.
async fn depth(database: &Database, transaction_id: &str) -> Stored<Option<Option<u64>>> {
    let row = query(
        "SELECT sim_chains.height - sim_transfers.height + 1 AS blocks FROM sim_transfers
         LEFT JOIN sim_chains ON sim_chains.network = sim_transfers.network
         WHERE transaction_id = $1 AND dropped = 0",
    )
    .bind(transaction_id)
    .fetch_optional(database.readers())
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
        output: OutputId {
            network,
            transaction: row.text("transaction_id")?,
            index: row.number("output_index")?,
        },
        currency: row.parsed("currency")?,
        amount: row.atoms("amount")?,
        to: row.text("address")?,
        tag: row.optional_text("tag")?,
        from: row.text("from_address")?,
        from_tag: row.optional_text("from_tag")?,
        fee: row.text("fee")?,
        seen_at: row.number("seen_at")?,
        state,
        uncertain: row.flag("replaceable")?,
    })
}

/// Starts a change of the simulated networks. A lock serialises them, so revisions are committed in order and a watcher
/// skips none.
async fn change(database: &Database) -> Stored<Transaction> {
    let mut change = database.change().await?;
    locks::lock(&mut change, "simulation", "").await?;
    Ok(change)
}

async fn next_revision(connection: &mut Transaction) -> Stored<i64> {
    let row = query("SELECT COALESCE(MAX(revision), 0) + 1 AS next FROM sim_transfers");
    row.fetch_one(connection).await?.number("next")
}

/// Moves the transfers of a network that `which` selects into a block, or out of it. Each gets a new revision, in the
/// order of the old ones. `which` may use `$4`, which is `value`.
async fn revise(
    connection: &mut Transaction,
    network: Network,
    which: &str,
    value: impl Into<Value>,
    (height, dropped): (Option<i64>, bool),
) -> Result<(), ChainError> {
    let text = format!(
        "UPDATE sim_transfers SET height = $2, dropped = $3, revision = renumbered.next
         FROM (SELECT revision AS old, (SELECT MAX(revision) FROM sim_transfers)
                   + ROW_NUMBER() OVER (ORDER BY revision) AS next
               FROM sim_transfers WHERE network = $1 AND {which}) AS renumbered
         WHERE revision = renumbered.old"
    );
    let statement = query(text).bind(network.code()).bind(height).bind(dropped).bind(value);
    statement.execute(connection).await?;
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
