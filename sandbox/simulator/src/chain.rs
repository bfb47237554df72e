//! The simulated networks. Their state is in the gateway's database and survives restarts with it. The gateway reads
//! them through the same trait as a real node.

pub mod broadcaster;
pub mod samples;
pub mod screening;
pub mod simulator;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};
use checkout_domain::ports::{Chain, ChainError, Changes, Stored};
use checkout_storage::{Database, Row, Transaction, Value, locks, query};

/// Maximum number of transfers per read.
const BATCH: i64 = 100;

/// One simulated network, as the watcher reads it.
#[derive(Clone, Debug)]
pub struct SimulatedChain {
    network: Network,
    database: Database,
    /// How many confirmations a transfer needs.
    required: i64,
}

impl SimulatedChain {
    /// One confirmation is enough.
    pub fn new(network: Network, database: Database) -> Self {
        Self { network, database, required: 1 }
    }

    /// The confirmations that a transfer needs; 0 counts as 1.
    #[must_use]
    pub fn with_confirmations(self, required: u32) -> Self {
        Self { required: i64::from(required).max(1), ..self }
    }

    /// As the node knows it, and how many blocks it is behind.
    async fn head(&self) -> Stored<(i64, i64)> {
        let head = query("SELECT height, lag FROM sim_chains WHERE network = $1")
            .bind(self.network.code())
            .read_first(self.database.readers(), |row| Ok((row.number::<i64>("height")?, row.number("lag")?)))
            .await?;
        let (height, lag) = head.unwrap_or((0, 0));
        Ok(((height - lag).max(0), lag))
    }

    /// The outputs of a transaction.
    async fn outputs(&self, transaction: &str) -> Stored<Vec<Row>> {
        query("SELECT * FROM sim_transfers WHERE network = $1 AND transaction_id = $2 ORDER BY revision")
            .bind(self.network.code())
            .bind(transaction)
            .fetch_all(self.database.readers())
            .await
    }

    /// The last block whose transfers are confirmed.
    async fn confirmed(&self) -> Stored<i64> {
        if self.required == 1 { Ok(ALL) } else { Ok(self.head().await?.0 + 1 - self.required) }
    }

    /// The transfers with a new revision.
    async fn revised(&self, after: i64) -> Stored<Vec<Row>> {
        query("SELECT * FROM sim_transfers WHERE network = $1 AND revision > $2 ORDER BY revision LIMIT $3")
            .bind(self.network.code())
            .bind(after)
            .bind(BATCH)
            .fetch_all(self.database.readers())
            .await
    }

    /// The transfers without a new revision in the blocks between the last confirmed one of the cursor and of now.
    async fn moved(&self, at: At, confirmed: i64) -> Stored<Vec<Row>> {
        query(
            "SELECT * FROM sim_transfers
             WHERE network = $1 AND revision <= $2 AND dropped = 0 AND height > $3 AND height <= $4 ORDER BY revision",
        )
        .bind(self.network.code())
        .bind(at.revision)
        .bind(at.confirmed.min(confirmed))
        .bind(at.confirmed.max(confirmed))
        .fetch_all(self.database.readers())
        .await
    }
}

/// The last confirmed block if one confirmation is enough.
const ALL: i64 = i64::MAX;

/// A cursor.
#[derive(Clone, Copy)]
struct At {
    /// Of the last transfer read.
    revision: i64,
    /// The last block whose transfers are confirmed.
    confirmed: i64,
}

impl At {
    fn read(cursor: Option<&str>) -> Result<Self, ChainError> {
        let number = |text: &str| text.parse().map_err(|error| ChainError(Box::new(error)));
        let (revision, confirmed) = match cursor.map(|cursor| cursor.split_once(':').ok_or(cursor)) {
            None => (0, ALL),
            Some(Err(revision)) => (number(revision)?, ALL),
            Some(Ok((revision, confirmed))) => (number(revision)?, number(confirmed)?),
        };
        Ok(Self { revision, confirmed })
    }

    fn text(self) -> String {
        if self.confirmed == ALL {
            return self.revision.to_string();
        }
        format!("{}:{}", self.revision, self.confirmed)
    }
}

#[async_trait]
impl Chain for SimulatedChain {
    fn network(&self) -> Network {
        self.network
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        let at = At::read(cursor)?;
        if self.head().await?.1 > 0 {
            return Ok(Changes::new(Vec::new(), at.text(), false));
        }
        // Before the transfers: one that is mined meanwhile has a new revision.
        let confirmed = self.confirmed().await?;
        let mut rows = self.revised(at.revision).await?;
        let revision = rows.last().map_or(Ok(at.revision), |row| row.number("revision"))?;
        let more = i64::try_from(rows.len()).is_ok_and(|count| count == BATCH);
        let next = At { revision, confirmed: if more { at.confirmed } else { confirmed } };
        if next.confirmed != at.confirmed {
            rows.extend(self.moved(at, confirmed).await?);
        }
        let (mut transfers, mut set_aside) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in &rows {
            let transfer = transfer(self.network, row, confirmed)?;
            if row.flag("odd")? && transfer.state != OutputState::Vanished {
                set_aside.push(without_fields(row, transfer.output)?);
                continue;
            }
            // It was read in a block that it left.
            if transfer.state == OutputState::Confirmed && (1..=at.revision).contains(&row.number("left_at")?)
            {
                transfers.push(transfer.unconfirmed());
            }
            transfers.push(transfer);
        }
        Ok(Changes { set_aside, ..Changes::new(transfers, next.text(), more) })
    }

    fn rereading(&self) -> Option<&dyn Rereading> {
        Some(self)
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let depth = depth(&self.database, &output.transaction).await?;
        Ok(depth.flatten().unwrap_or(0))
    }

    fn required_confirmations(&self) -> u64 {
        self.required.unsigned_abs()
    }

    async fn waiting(&self, cursor: &str) -> Result<Vec<(OutputId, u64)>, ChainError> {
        let At { confirmed, .. } = At::read(Some(cursor))?;
        if self.required == 1 {
            return Ok(Vec::new());
        }
        let rows = query(
            "SELECT transaction_id, output_index, height FROM sim_transfers
             WHERE network = $1 AND dropped = 0 AND (height IS NULL OR height > $2)",
        )
        .bind(self.network.code())
        .bind(confirmed)
        .fetch_all(self.database.readers())
        .await?;
        let waiting = rows.iter().map(|row| {
            let height: Option<i64> = row.optional_number("height")?;
            let blocks = height.map_or(0, |height| (confirmed.saturating_add(self.required) - height).max(0));
            Ok((output(self.network, row)?, blocks.unsigned_abs()))
        });
        waiting.collect()
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        let rows = query(
            "SELECT * FROM sim_transfers
             WHERE network = $1 AND transaction_id = $2 AND dropped = 0 ORDER BY output_index",
        )
        .bind(self.network.code())
        .bind(transaction)
        .fetch_all(self.database.readers())
        .await?;
        let Some(first) = rows.first() else { return Ok(None) };
        let failed = first.flag("reverted")?;
        let transfer = |row| transfer(self.network, row, ALL).map(FoundTransfer::from);
        let transfers: Result<Vec<_>, ChainError> = rows.iter().map(transfer).collect();
        Ok(Some(FoundTransaction {
            confirmations: depth(&self.database, transaction).await?.flatten().unwrap_or(0),
            failed,
            transfers: if failed { Vec::new() } else { transfers? },
            ..FoundTransaction::default()
        }))
    }

    /// Simulated blocks have no time. The height replaces the hash: blocks of one height are equal.
    async fn tip(&self) -> Result<Tip, ChainError> {
        let height = self.head().await?.0.unsigned_abs();
        Ok(Tip { height, hash: format!("{}-{height}", self.network), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        vec![match self.tip().await {
            Ok(tip) => Check::good("chain", format!("simulated, {} blocks", tip.height)),
            Err(error) => Check::fault("chain", error.to_string()),
        }]
    }
}

#[async_trait]
impl Rereading for SimulatedChain {
    async fn read_again(&self, entry: &SetAside) -> Result<Reread, ChainError> {
        for row in self.outputs(&entry.transaction).await? {
            if row.flag("odd")? {
                return Ok(Reread::Still(entry.why.clone()));
            }
        }
        Ok(Reread::Read(Vec::new()))
    }

    /// Of the transaction as it is now: a revision of later is read with the cursor, too, and changes nothing then.
    async fn rejoin(
        &self,
        cursor: &str,
        entry: &SetAside,
        _: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError> {
        let (At { confirmed, .. }, rows) = (At::read(Some(cursor))?, self.outputs(&entry.transaction).await?);
        let transfers = rows.iter().map(|row| transfer(self.network, row, confirmed));
        Ok(Some(Rejoined { transfers: transfers.collect::<Result<_, _>>()?, cursor: cursor.to_owned() }))
    }
}

fn without_fields(row: &Row, output: OutputId) -> Stored<SetAside> {
    let height: Option<i64> = row.optional_number("height")?;
    Ok(SetAside {
        network: output.network,
        transaction: output.transaction,
        part: String::new(),
        height: height.unwrap_or(0).unsigned_abs(),
        block: String::new(),
        why: "it has no amount".to_owned(),
    })
}

/// Returns the confirmations of a transfer: `None` if the network does not have it, `Some(None)` if it is not
/// in a block.
async fn depth(database: &Database, transaction_id: &str) -> Stored<Option<Option<u64>>> {
    query(
        "SELECT CASE WHEN sim_chains.height - sim_chains.lag >= sim_transfers.height
             THEN sim_chains.height - sim_chains.lag - sim_transfers.height + 1 END AS blocks FROM sim_transfers
         LEFT JOIN sim_chains ON sim_chains.network = sim_transfers.network
         WHERE transaction_id = $1 AND dropped = 0",
    )
    .bind(transaction_id)
    .read_first(database.readers(), |row| row.optional_number("blocks"))
    .await
}

/// `confirmed` is the last block whose transfers are confirmed.
fn transfer(network: Network, row: &Row, confirmed: i64) -> Result<Transfer, ChainError> {
    let height: Option<i64> = row.optional_number("height")?;
    let state = match (row.flag("dropped")?, height) {
        (true, _) => OutputState::Vanished,
        (false, Some(height)) if height <= confirmed => OutputState::Confirmed,
        (false, _) => OutputState::Unconfirmed,
    };
    Ok(Transfer {
        output: output(network, row)?,
        currency: row.parsed("currency")?,
        amount: row.atoms("amount")?,
        to: row.text("address")?,
        tag: row.optional_text("tag")?,
        from: row.text("from_address")?,
        from_tag: row.optional_text("from_tag")?,
        other_senders: Vec::new(),
        fee: row.text("fee")?,
        seen_at: row.number("seen_at")?,
        state,
        uncertain: row.flag("replaceable")?,
    })
}

fn output(network: Network, row: &Row) -> Result<OutputId, ChainError> {
    Ok(OutputId { network, transaction: row.text("transaction_id")?, index: row.number("output_index")? })
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
/// order of the old ones, and keeps the one that it had in the last block that it left. `which` may use `$4`, which is `value`.
async fn revise(
    connection: &mut Transaction,
    network: Network,
    which: &str,
    value: impl Into<Value>,
    (height, dropped): (Option<i64>, bool),
) -> Result<(), ChainError> {
    let text = format!(
        "UPDATE sim_transfers SET height = $2, dropped = $3, revision = renumbered.next,
             left_at = CASE WHEN height IS NULL THEN left_at ELSE renumbered.old END
         FROM (SELECT revision AS old, (SELECT MAX(revision) FROM sim_transfers)
                   + ROW_NUMBER() OVER (ORDER BY revision) AS next
               FROM sim_transfers WHERE network = $1 AND {which}) AS renumbered
         WHERE revision = renumbered.old"
    );
    let statement = query(text).bind(network.code()).bind(height).bind(dropped).bind(value);
    Ok(statement.run(connection).await?)
}

/// How many seconds the clock of a network is ahead.
async fn ahead(connection: &mut Transaction, network: Network) -> Stored<i64> {
    let ahead = query("SELECT ahead FROM sim_chains WHERE network = $1")
        .bind(network.code())
        .read_first(connection, |row| row.number("ahead"))
        .await?;
    Ok(ahead.unwrap_or(0))
}

async fn height(connection: &mut Transaction, network: Network) -> Result<i64, ChainError> {
    let height = query("SELECT height FROM sim_chains WHERE network = $1")
        .bind(network.code())
        .read_first(connection, |row| row.number("height"))
        .await?;
    Ok(height.unwrap_or(0))
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
