//! Operations of the control API on the simulated networks.

use checkout_core::{Decimal, Network};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::ChainError;
use checkout_domain::rates::asset::Asset;
use checkout_storage::{Database, Row, Transaction, query};

use super::samples::{fee, sender, transaction_id};
use super::{ahead, change, height, next_revision, revise, set_height};
use crate::requests::TransferRequest;

/// Changes the simulated networks for `/sandbox/…`.
#[derive(Clone, Debug)]
pub struct Simulator(pub Database);

impl Simulator {
    /// Adds an unconfirmed transfer to its network: a new transaction, or another output of a pending one.
    /// Returns its transaction id; `None` if there is no such pending transaction.
    pub async fn send(
        &self,
        request: &TransferRequest,
        now: u64,
        random: [u8; 32],
    ) -> Result<Option<String>, ChainError> {
        let network = request.pair.network;
        let mut tx = change(&self.0).await?;
        let id = request.transaction.clone().unwrap_or_else(|| transaction_id(network, random));
        let index = outputs(&mut tx, network, &id).await?;
        if request.transaction.is_some() && index == 0 {
            return Ok(None);
        }
        insert(&mut tx, request, (&id, index), now).await?;
        tx.commit().await?;
        Ok(Some(id))
    }

    /// Lets a transaction that is in no block do something else the next time that it is executed: nothing of what it moved before is
    /// there, and this transfer is, or none. One with the facts of an earlier one is that one. Returns false if it is in a block.
    pub async fn execute_again(
        &self,
        id: &str,
        moves: Option<&TransferRequest>,
        network: Network,
        now: u64,
    ) -> Result<bool, ChainError> {
        let mut tx = change(&self.0).await?;
        let executed = query(
            "SELECT * FROM sim_transfers WHERE network = $1 AND transaction_id = $2 ORDER BY output_index",
        )
        .bind(network.code())
        .bind(id)
        .fetch_all(&mut tx)
        .await?;
        for row in &executed {
            if row.optional_number::<i64>("height")?.is_some() {
                return Ok(false);
            }
        }
        revise(&mut tx, network, "transaction_id = $4 AND dropped = 0", id, (None, true)).await?;
        if let Some(moves) = moves {
            let mut known = None;
            for row in &executed {
                if is_of(row, moves)? {
                    known = Some(row.number::<i64>("output_index")?);
                }
            }
            if let Some(index) = known {
                let which = format!("transaction_id = $4 AND output_index = {index}");
                revise(&mut tx, network, &which, id, (None, false)).await?;
            } else {
                let index = i64::try_from(executed.len()).unwrap_or(i64::MAX);
                insert(&mut tx, moves, (id, index), now).await?;
            }
        }
        tx.commit().await?;
        Ok(true)
    }

    /// From now on the node is this many blocks behind: it tells of nothing new, and of fewer confirmations than before.
    pub async fn lag(&self, network: Network, blocks: u32) -> Result<(), ChainError> {
        self.set("lag", network, blocks.into()).await
    }

    /// From now on the clock of the network is this many seconds ahead of the gateway's.
    pub async fn run_ahead(&self, network: Network, seconds: i64) -> Result<(), ChainError> {
        self.set("ahead", network, seconds).await
    }

    async fn set(&self, column: &str, network: Network, value: i64) -> Result<(), ChainError> {
        let text = format!(
            "INSERT INTO sim_chains (network, height, {column}) VALUES ($1, 0, $2)
             ON CONFLICT (network) DO UPDATE SET {column} = excluded.{column}"
        );
        self.0.apply(query(text).bind(network.code()).bind(value)).await?;
        Ok(())
    }

    /// The node loses the fields of a transaction, or has them again. Those that were read without are read again.
    pub async fn lose_fields(&self, id: &str, are_lost: bool) -> Result<(), ChainError> {
        let lose =
            query("UPDATE sim_transfers SET odd = $2 WHERE transaction_id = $1").bind(id).bind(are_lost);
        self.0.apply(lose).await?;
        Ok(())
    }

    /// Mines `count` blocks; the first includes all pending transfers. Returns the new height.
    pub async fn mine(&self, network: Network, count: u32) -> Result<u64, ChainError> {
        let mut tx = change(&self.0).await?;
        let height = height(&mut tx, network).await?;
        let pending = "height IS NULL AND dropped = $4";
        revise(&mut tx, network, pending, false, (Some(height + 1), false)).await?;
        let height = set_height(&mut tx, network, height + i64::from(count)).await?;
        tx.commit().await?;
        Ok(height)
    }

    /// Removes the last `depth` blocks, whose transfers become pending again. Returns the new height.
    pub async fn reorganise(&self, network: Network, depth: u32) -> Result<u64, ChainError> {
        let mut tx = change(&self.0).await?;
        let height = height(&mut tx, network).await?.saturating_sub(i64::from(depth)).max(0);
        revise(&mut tx, network, "height > $4 AND dropped = 0", height, (None, false)).await?;
        let height = set_height(&mut tx, network, height).await?;
        tx.commit().await?;
        Ok(height)
    }

    /// Drops a transfer permanently, unless it is broadcast again. Returns its network, or `None` if the
    /// transfer does not exist.
    pub async fn drop_transfer(&self, id: &str) -> Result<Option<Network>, ChainError> {
        let mut tx = change(&self.0).await?;
        let row = query("SELECT network FROM sim_transfers WHERE transaction_id = $1")
            .bind(id)
            .fetch_optional(&mut tx)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let network = row.parsed("network")?;
        revise(&mut tx, network, "transaction_id = $4", id, (None, true)).await?;
        tx.commit().await?;
        Ok(Some(network))
    }

    /// Lets a transaction revert: its block has it, and it moves nothing. Returns its network, or `None` if it does not exist.
    pub async fn revert(&self, id: &str) -> Result<Option<Network>, ChainError> {
        let found =
            query("UPDATE sim_transfers SET reverted = 1 WHERE transaction_id = $1 RETURNING network")
                .bind(id);
        let mut tx = change(&self.0).await?;
        let row = found.fetch_optional(&mut tx).await?;
        tx.commit().await?;
        Ok(row.map(|row| row.parsed("network")).transpose()?)
    }

    /// Sets what a network asks for a transaction, in its coin.
    pub async fn set_fee(&self, network: Network, fee: Decimal) -> Result<(), ChainError> {
        let fee = query(
            "INSERT INTO sim_fees (network, fee) VALUES ($1, $2)
             ON CONFLICT (network) DO UPDATE SET fee = excluded.fee",
        )
        .bind(network.code())
        .bind(fee.to_string());
        self.0.apply(fee).await?;
        Ok(())
    }

    /// Flags an address for the screening, or removes its flag. `address` is in normal form.
    pub async fn flag(&self, network: Network, address: &str, flagged: bool) -> Result<(), ChainError> {
        let sql = if flagged {
            "INSERT INTO sim_flags (network, address) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM sim_flags WHERE network = $1 AND address = $2"
        };
        self.0.apply(query(sql).bind(network.code()).bind(address)).await?;
        Ok(())
    }

    /// Returns the addresses flagged through the control API.
    pub async fn flagged(&self) -> Result<Vec<(Network, String)>, ChainError> {
        let all = query("SELECT network, address FROM sim_flags ORDER BY network, address");
        Ok(all.read_all(self.0.readers(), |row| Ok((row.parsed("network")?, row.text("address")?))).await?)
    }

    /// Stores a rate set through the control API.
    pub async fn keep_rate(&self, from: Asset, to: Asset, rate: Decimal) -> Result<(), ChainError> {
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

    /// Returns the rates set through the control API.
    pub async fn kept_rates(&self) -> Result<Vec<(Asset, Asset, Decimal)>, ChainError> {
        let asset = |row: &Row, column| row.word(column, Asset::known);
        let rate = |row: &Row| Ok((asset(row, "from_asset")?, asset(row, "to_asset")?, row.decimal("rate")?));
        Ok(query("SELECT * FROM sim_rates").read_all(self.0.readers(), rate).await?)
    }
}

/// Adds an output to a pending transaction.
async fn insert(
    tx: &mut Transaction,
    request: &TransferRequest,
    (id, index): (&str, i64),
    now: u64,
) -> Result<(), ChainError> {
    let network = request.pair.network;
    let revision = next_revision(tx).await?;
    let now = i64::try_from(now).unwrap_or(i64::MAX).saturating_add(ahead(tx, network).await?);
    query(
        "INSERT INTO sim_transfers (network, transaction_id, currency, address, tag, amount, from_address,
             fee, seen_at, height, dropped, revision, replaceable, from_tag, output_index, sender)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, 0, $10, $11, $12, $13, $14)",
    )
    .bind(network.code())
    .bind(id)
    .bind(request.pair.currency.code())
    .bind(&request.address)
    .bind(&request.tag)
    .bind(request.amount.atoms().to_string())
    .bind(from(request))
    .bind(fee(network))
    .bind(now)
    .bind(revision)
    .bind(request.replaceable)
    .bind(&request.from_tag)
    .bind(index)
    .bind(request.sender.map(NoRefundAddress::as_str))
    .execute(tx)
    .await?;
    Ok(())
}

fn from(request: &TransferRequest) -> &str {
    match request.sender {
        Some(NoRefundAddress::UnknownSender) => "",
        _ => request.from.as_deref().unwrap_or_else(|| sender(request.pair.network)),
    }
}

/// Whether an output has the facts of a request.
fn is_of(row: &Row, request: &TransferRequest) -> Result<bool, ChainError> {
    let place = (row.text("address")?, row.optional_text("tag")?, row.text("from_address")?);
    let is_same = (&place.0, &place.1, place.2.as_str()) == (&request.address, &request.tag, from(request));
    Ok(is_same
        && row.text("currency")? == request.pair.currency.code()
        && row.atoms("amount")? == request.amount)
}

/// Returns how many outputs a pending transaction has so far.
async fn outputs(tx: &mut Transaction, network: Network, id: &str) -> Result<i64, ChainError> {
    let row = query(
        "SELECT COUNT(*) AS outputs FROM sim_transfers
         WHERE network = $1 AND transaction_id = $2 AND height IS NULL AND dropped = 0",
    )
    .bind(network.code())
    .bind(id)
    .fetch_one(tx)
    .await?;
    Ok(row.number("outputs")?)
}
