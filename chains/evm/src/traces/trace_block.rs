//! `trace_block` of OpenEthereum's trace module: a flat list of calls with their paths in the tree.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, U256};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::EachTrace;
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

pub(super) async fn block(node: &Node, block: &Block) -> Result<EachTrace, NodeError> {
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
    let frames: Result<Placed, _> = traces.into_iter().map(placed).collect();
    frames.map(in_order).map_err(|why| NodeError::malformed(METHOD, why))
}

/// Each call with its path in the tree.
type Placed = Vec<(Vec<u32>, Frame)>;

fn placed(trace: Trace) -> Result<(Vec<u32>, Frame), &'static str> {
    Ok((trace.path.clone(), frame(trace)?))
}

/// Each call before the calls that it makes. Some servers list a call twice, or in another order.
fn in_order(mut placed: Placed) -> Vec<Frame> {
    placed.sort_by(|(one, _), (other, _)| one.cmp(other));
    placed.dedup_by(|(one, _), (other, _)| one == other);
    placed.into_iter().map(|(_, frame)| frame).collect()
}

/// The part that also a trace that cannot be read can have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TraceName {
    transaction_hash: Option<B256>,
    #[serde(default, rename = "type")]
    kind: Value,
}

fn read(traces: Vec<Value>, block: &Block) -> Result<EachTrace, String> {
    let mut all: BTreeMap<B256, Result<Placed, String>> = BTreeMap::new();
    for trace in traces {
        let named = TraceName::deserialize(&trace).map_err(|error| error.to_string())?;
        let Some(hash) = named.transaction_hash else {
            // Of a miner.
            if named.kind == "reward" {
                continue;
            }
            return Err("a trace has no transaction".to_owned());
        };
        let read = Trace::deserialize(&trace).map_err(|error| error.to_string());
        if read.as_ref().is_ok_and(|trace| trace.block_hash != block.hash) {
            return Err("the trace is of another block: the chain was reorganised".to_owned());
        }
        let frames = all.entry(hash).or_insert_with(|| Ok(Vec::new()));
        match (frames.as_mut(), read) {
            (Ok(placed_so_far), Ok(trace)) => match placed(trace) {
                Ok(one) => placed_so_far.push(one),
                Err(why) => *frames = Err(why.to_owned()),
            },
            (Ok(_), Err(why)) => *frames = Err(why),
            (Err(_), _) => {}
        }
    }
    for hash in block.hashes.iter().flatten() {
        all.entry(*hash).or_insert_with(|| Err("it has no trace".to_owned()));
    }
    Ok(all.into_iter().map(|(hash, placed)| (hash, placed.map(in_order))).collect())
}

/// An error if it may move coins, and does not say what. A failed call moves nothing.
fn frame(trace: Trace) -> Result<Frame, &'static str> {
    let Trace { kind, action, result, error, path, .. } = trace;
    let depth = u32::try_from(path.len()).unwrap_or(u32::MAX);
    let created = result.and_then(|result| result.address);
    let (kind, from, to, value) = match (kind.as_str(), action.call_type.as_deref()) {
        ("call", None | Some("call")) => (CallKind::Call, action.from, action.to, action.value),
        ("call", Some("delegatecall" | "staticcall" | "callcode")) => {
            (CallKind::Other, action.from, action.to, None)
        }
        ("create", _) => (CallKind::Create, action.from, created, action.value),
        ("suicide" | "selfdestruct", _) => {
            (CallKind::SelfDestruct, action.address, action.refund_address, action.balance)
        }
        ("reward", _) => (CallKind::Other, None, None, None),
        _ => return Err("a call of it has an unknown type"),
    };
    let failed = error.is_some();
    let pays = matches!(kind, CallKind::Call | CallKind::SelfDestruct) && !failed;
    if pays && (from.is_none() || to.is_none() || value.is_none()) {
        return Err("a call of it has no payer, no recipient or no value");
    }
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
    Ok(Frame { depth, kind, from, to, value: value.unwrap_or_default(), failed })
}
