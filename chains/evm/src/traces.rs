//! Transfers of the native coin by contracts. They emit no log; only a trace shows them.
//!
//! A transaction can be made so that it cannot be traced: its trace is too long or takes too long. It costs no other one: the
//! block is traced as a whole, and what that does not show one transaction after the other.

mod debug_trace;
mod frames;
mod trace_block;

use std::collections::BTreeSet;
use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use futures::stream::{self, StreamExt as _};
use tokio::time::{Instant, timeout, timeout_at};

use self::frames::Frame;
use crate::node::Node;
use crate::node::block::{Block, Transaction};
use crate::rpc::error::is_unknown_method;
use crate::settings::InternalTransfers;
use checkout_chain_http::NodeError;

/// How long the trace of a block may take. A node traces a full one within three seconds.
const BLOCK: Duration = Duration::from_secs(8);

/// How long the traces of its transactions may take together.
const TRANSACTIONS: Duration = Duration::from_secs(10);

/// Transactions that are traced at once.
const AT_ONCE: usize = 4;

/// Each transaction with its calls, or why they cannot be read.
type EachTrace = Vec<(B256, Result<Vec<Frame>, String>)>;

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

/// Returns the contract transfers in a block. An error is a rate limit, or a method that the node does not have.
pub async fn of_block(node: &Node, block: &Block, way: InternalTransfers) -> Result<Traced, NodeError> {
    if block.hashes.is_empty() || way == InternalTransfers::Off {
        return Ok(Traced::default());
    }
    let mut traced = match within(BLOCK, whole(node, block, way)).await {
        Err(error) if error.is_limit() || is_unknown_method(&error) => return Err(error),
        Err(error) => {
            tracing::warn!(block = block.number, %error, "a block cannot be traced; its transactions are, one by one");
            let all = block.hashes.iter().flatten();
            Traced { untraced: all.map(|hash| (*hash, String::new())).collect(), moves: Vec::new() }
        }
        Ok(traced) => traced,
    };
    // No contract can move coins in the others.
    let plain: BTreeSet<B256> = block.transactions.iter().filter_map(Transaction::plain).collect();
    let untraced = std::mem::take(&mut traced.untraced).into_iter().map(|(hash, _)| hash);
    let left: Vec<B256> = untraced.filter(|hash| !plain.contains(hash)).collect();
    if !left.is_empty() {
        one_by_one(node, left, way, &mut traced).await?;
    }
    Ok(traced)
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
        InternalTransfers::Off => return Err(NodeError::malformed("internal_transfers", "they are off")),
    };
    Ok(frames::moves(transaction, &frames))
}

/// Fails if the node cannot trace this block.
pub async fn probe(node: &Node, block: &Block, way: InternalTransfers) -> Result<(), NodeError> {
    if way == InternalTransfers::Off {
        return Ok(());
    }
    let traced = whole(node, block, way).await?;
    let is_plain = |hash: &B256| block.transactions.iter().any(|one| one.plain() == Some(*hash));
    match traced.untraced.into_iter().find(|(transaction, _)| !is_plain(transaction)) {
        Some((transaction, why)) => Err(NodeError::malformed(way.as_str(), format!("{transaction}: {why}"))),
        None => Ok(()),
    }
}

async fn whole(node: &Node, block: &Block, way: InternalTransfers) -> Result<Traced, NodeError> {
    let traces = match way {
        InternalTransfers::DebugTrace => debug_trace::block(node, block).await?,
        InternalTransfers::TraceBlock => trace_block::block(node, block).await?,
        InternalTransfers::Off => Vec::new(),
    };
    let mut all = Traced::default();
    for (transaction, trace) in traces {
        all.add(transaction, trace);
    }
    Ok(all)
}

async fn one_by_one(
    node: &Node,
    transactions: Vec<B256>,
    way: InternalTransfers,
    traced: &mut Traced,
) -> Result<(), NodeError> {
    let deadline = Instant::now() + TRANSACTIONS;
    let trace = |hash: B256| async move {
        let traced = timeout_at(deadline, of_transaction(node, hash, way)).await;
        (hash, traced.unwrap_or_else(|_| Err(late(TRANSACTIONS))))
    };
    let mut answers = stream::iter(transactions).map(trace).buffered(AT_ONCE);
    while let Some((transaction, answer)) = answers.next().await {
        match answer {
            Ok(moves) => traced.moves.extend(moves),
            Err(error) if error.is_limit() => return Err(error),
            Err(error) => traced.untraced.push((transaction, error.to_string())),
        }
    }
    Ok(())
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

impl Traced {
    fn add(&mut self, transaction: B256, trace: Result<Vec<Frame>, String>) {
        match trace {
            Ok(frames) => self.moves.extend(frames::moves(transaction, &frames)),
            Err(why) => self.untraced.push((transaction, why)),
        }
    }
}
