//! Transfers of the native coin by contracts. They emit no log; only a trace shows them.
//!
//! A transaction can be made so that it cannot be traced: its trace is too long or takes too long. It costs no other one: the
//! block is traced as a whole, and if that fails one transaction after the other.

mod debug_trace;
mod frames;
mod trace_block;

use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use futures::stream::{self, StreamExt as _};
use tokio::time::{Instant, timeout, timeout_at};

use self::frames::Frame;
use crate::node::Node;
use crate::node::block::Block;
use crate::rpc::error::is_unknown_method;
use crate::settings::InternalTransfers;
use checkout_chain_http::NodeError;

/// How long the trace of a block may take. A node traces a full one within three seconds.
const BLOCK: Duration = Duration::from_secs(8);

/// How long the traces of its transactions may take together.
const TRANSACTIONS: Duration = Duration::from_secs(10);

/// Transactions that are traced at once.
const AT_ONCE: usize = 4;

/// A successful transfer by a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub transaction: B256,
    /// Its index among the contract transfers of the transaction.
    pub position: u32,
    /// The payer. For a contract that does not outlive the transaction, the transaction's sender.
    pub from: Address,
    pub to: Address,
    pub value: U256,
}

/// What the traces of a block show.
#[derive(Debug, Default)]
pub struct Traced {
    pub moves: Vec<Move>,
    /// Transactions that cannot be traced, with the reason.
    pub untraced: Vec<(B256, String)>,
}

/// The transactions of a block, each with its calls, or why they cannot be read.
type Transactions = Vec<(B256, Result<Vec<Frame>, String>)>;

/// Returns the contract transfers in a block. An error is a rate limit, or a method that the node does not have.
pub async fn of_block(node: &Node, block: &Block, way: InternalTransfers) -> Result<Traced, NodeError> {
    if block.hashes.is_empty() || way == InternalTransfers::Off {
        return Ok(Traced::default());
    }
    match within(BLOCK, whole(node, block, way)).await {
        Err(error) if error.is_limit() || is_unknown_method(&error) => Err(error),
        Err(error) => {
            tracing::warn!(block = block.number, %error, "a block cannot be traced; its transactions are, one by one");
            one_by_one(node, block, way).await
        }
        traced => traced,
    }
}

/// Returns the contract transfers of one transaction.
pub async fn of_transaction(
    node: &Node,
    transaction: B256,
    way: InternalTransfers,
) -> Result<Vec<Move>, NodeError> {
    let frames = match way {
        InternalTransfers::DebugTrace => debug_trace::transaction(node, transaction).await?,
        InternalTransfers::TraceBlock => trace_block::transaction(node, transaction).await?,
        InternalTransfers::Off => Vec::new(),
    };
    Ok(frames::moves(transaction, &frames))
}

/// Fails if the node cannot trace this block.
pub async fn probe(node: &Node, block: &Block, way: InternalTransfers) -> Result<(), NodeError> {
    if way == InternalTransfers::Off {
        return Ok(());
    }
    let traced = whole(node, block, way).await?;
    match traced.untraced.into_iter().next() {
        Some((transaction, why)) => Err(NodeError::malformed(way.as_str(), format!("{transaction}: {why}"))),
        None => Ok(()),
    }
}

async fn whole(node: &Node, block: &Block, way: InternalTransfers) -> Result<Traced, NodeError> {
    let transactions = match way {
        InternalTransfers::DebugTrace => debug_trace::block(node, block).await?,
        InternalTransfers::TraceBlock => trace_block::block(node, block).await?,
        InternalTransfers::Off => Vec::new(),
    };
    let mut traced = Traced::default();
    for (transaction, frames) in transactions {
        match frames {
            Ok(frames) => traced.moves.extend(frames::moves(transaction, &frames)),
            Err(why) => traced.untraced.push((transaction, why)),
        }
    }
    Ok(traced)
}

/// Traces those in which a contract can move coins.
async fn one_by_one(node: &Node, block: &Block, way: InternalTransfers) -> Result<Traced, NodeError> {
    let deadline = Instant::now() + TRANSACTIONS;
    let calls = block.transactions.iter().filter(|transaction| transaction.may_run_code());
    let calls: Vec<B256> = calls.map(|transaction| transaction.hash).collect();
    let trace = |hash: B256| async move {
        let traced = timeout_at(deadline, of_transaction(node, hash, way)).await;
        (hash, traced.unwrap_or_else(|_| Err(late(TRANSACTIONS))))
    };
    let mut answers = stream::iter(calls).map(trace).buffered(AT_ONCE);
    let mut traced = Traced::default();
    while let Some((transaction, answer)) = answers.next().await {
        match answer {
            Ok(moves) => traced.moves.extend(moves),
            Err(error) if error.is_limit() => return Err(error),
            Err(error) => traced.untraced.push((transaction, error.to_string())),
        }
    }
    Ok(traced)
}

async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, NodeError>>,
) -> Result<T, NodeError> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(late(limit)))
}

fn late(limit: Duration) -> NodeError {
    NodeError::Unreachable(format!("no trace within {} seconds", limit.as_secs()))
}
