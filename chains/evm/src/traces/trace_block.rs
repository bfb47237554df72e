//! `trace_block` of OpenEthereum's trace module: a flat list of calls with their paths in the tree.

use alloy_primitives::{Address, B256, U256};
use serde::Deserialize;
use serde_json::json;

use super::{CallKind, Frame, Move, of_transaction};
use crate::node::answers::Block;
use crate::node::{At, Node};
use checkout_chain_http::NodeError;

const METHOD: &str = "trace_block";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Trace {
    #[serde(rename = "type")]
    kind: String,
    action: Action,
    result: Option<CallResult>,
    error: Option<String>,
    #[serde(rename = "traceAddress")]
    path: Vec<u32>,
    block_hash: B256,
    /// Absent for miner rewards.
    transaction_hash: Option<B256>,
}

/// The union of the fields of all actions.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Action {
    call_type: Option<String>,
    from: Option<Address>,
    to: Option<Address>,
    value: Option<U256>,
    /// The contract that destroys itself.
    address: Option<Address>,
    refund_address: Option<Address>,
    balance: Option<U256>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CallResult {
    /// The contract that was created.
    address: Option<Address>,
}

pub(super) async fn moves(node: &Node, block: &Block) -> Result<Vec<Move>, NodeError> {
    let traces: Vec<Trace> = node.rpc.call(METHOD, json!([At::Number(block.number.to()).json()])).await?;
    read(traces, block).map_err(|why| NodeError::malformed(METHOD, why))
}

fn read(traces: Vec<Trace>, block: &Block) -> Result<Vec<Move>, String> {
    let mut moves = Vec::new();
    let mut traces = traces.into_iter().filter(|trace| trace.transaction_hash.is_some()).peekable();
    for transaction in &block.transactions {
        let mut frames = Vec::new();
        while let Some(trace) = traces.next_if(|trace| trace.transaction_hash == Some(transaction.hash)) {
            if trace.block_hash != block.hash {
                return Err("the trace is of another block: the chain was reorganised".to_owned());
            }
            frames.push(frame(trace));
        }
        if frames.is_empty() {
            return Err(format!("{} has no trace", transaction.hash));
        }
        moves.extend(of_transaction(transaction.hash, &frames));
    }
    Ok(moves)
}

fn frame(trace: Trace) -> Frame {
    let Trace { kind, action, result, error, path, .. } = trace;
    let created = result.and_then(|result| result.address);
    let (kind, from, to, value) = match kind.as_str() {
        "call" if action.call_type.as_deref().is_none_or(|kind| kind == "call") => {
            (CallKind::Call, action.from, action.to, action.value)
        }
        "create" => (CallKind::Create, action.from, created, action.value),
        "suicide" => (CallKind::SelfDestruct, action.address, action.refund_address, action.balance),
        _ => (CallKind::Other, action.from, action.to, None),
    };
    Frame {
        path,
        kind,
        from: from.unwrap_or_default(),
        to: to.unwrap_or_default(),
        value: value.unwrap_or_default(),
        failed: error.is_some(),
    }
}
