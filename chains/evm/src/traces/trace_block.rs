//! `trace_block` of OpenEthereum's trace module: a flat list of calls with their paths in the tree.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, U256};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::Transactions;
use super::frames::{CallKind, Frame};
use crate::node::block::Block;
use crate::node::{At, Node};
use checkout_chain_http::NodeError;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Trace {
    #[serde(rename = "type")]
    kind: String,
    action: Action,
    result: Option<CallResult>,
    error: Option<IgnoredAny>,
    #[serde(rename = "traceAddress")]
    path: Vec<u32>,
    block_hash: B256,
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

pub(super) async fn block(node: &Node, block: &Block) -> Result<Transactions, NodeError> {
    const METHOD: &str = "trace_block";
    let traces: Vec<Value> = node.rpc.call(METHOD, json!([At::Number(block.number).json()])).await?;
    read(traces, block).map_err(|why| NodeError::malformed(METHOD, why))
}

pub(super) async fn transaction(node: &Node, transaction: B256) -> Result<Vec<Frame>, NodeError> {
    const METHOD: &str = "trace_transaction";
    let traces: Vec<Trace> = node.rpc.call(METHOD, json!([transaction])).await?;
    if traces.is_empty() {
        return Err(NodeError::malformed(METHOD, "it has no trace"));
    }
    Ok(traces.into_iter().map(frame).collect())
}

/// The part that also a trace that cannot be read can have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NamedTrace {
    transaction_hash: Option<B256>,
}

fn read(traces: Vec<Value>, block: &Block) -> Result<Transactions, String> {
    let mut all: BTreeMap<B256, Result<Vec<Frame>, String>> = BTreeMap::new();
    for trace in traces {
        // Absent for miner rewards.
        let named = NamedTrace::deserialize(&trace).map_err(|error| error.to_string())?;
        let Some(hash) = named.transaction_hash else { continue };
        let read = Trace::deserialize(&trace).map_err(|error| error.to_string());
        if read.as_ref().is_ok_and(|trace| trace.block_hash != block.hash) {
            return Err("the trace is of another block: the chain was reorganised".to_owned());
        }
        let frames = all.entry(hash).or_insert_with(|| Ok(Vec::new()));
        match (frames.as_mut(), read) {
            (Ok(frames), Ok(trace)) => frames.push(frame(trace)),
            (Ok(_), Err(why)) => *frames = Err(why),
            (Err(_), _) => {}
        }
    }
    for hash in block.hashes.iter().flatten() {
        all.entry(*hash).or_insert_with(|| Err("it has no trace".to_owned()));
    }
    Ok(all.into_iter().collect())
}

fn frame(trace: Trace) -> Frame {
    let Trace { kind, action, result, error, path, .. } = trace;
    let depth = u32::try_from(path.len()).unwrap_or(u32::MAX);
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
        depth,
        kind,
        from: from.unwrap_or_default(),
        to: to.unwrap_or_default(),
        value: value.unwrap_or_default(),
        failed: error.is_some(),
    }
}
