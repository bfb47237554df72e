//! Traces: the call tracer of geth 1.16 (`eth/tracers/native/call.go`), and the flat list of OpenEthereum's trace module as Erigon 3
//! has it (`rpc/jsonrpc/trace_adhoc.go`).

use serde_json::{Value, json};

use super::chain::{Block, Call, Transaction};

pub(super) fn debug(block: &Block) -> Value {
    let traced =
        |transaction: &Transaction| json!({"txHash": transaction.hash, "result": call_tree(transaction)});
    block.transactions.iter().map(traced).collect()
}

/// The transaction as the call that makes the others.
fn top(transaction: &Transaction) -> Call {
    let (from, to) = (transaction.payer(), transaction.to.clone());
    Call { from, to, wei: transaction.wei, input: 0, calls: transaction.calls.clone() }
}

pub(super) fn call_tree(transaction: &Transaction) -> Value {
    let mut tree = tree(&top(transaction));
    if transaction.failed {
        tree["error"] = "execution reverted".into();
    }
    tree
}

fn tree(call: &Call) -> Value {
    let mut shown = json!({
        "from": call.from, "gas": "0x15f90", "gasUsed": "0x5208", "to": call.to, "input": input(call),
        "value": format!("{:#x}", call.wei), "type": "CALL"
    });
    if !call.calls.is_empty() {
        shown["calls"] = call.calls.iter().map(tree).collect();
    }
    shown
}

fn input(call: &Call) -> String {
    format!("0x{}", "ab".repeat(call.input))
}

pub(super) fn flat(block: &Block, at: usize) -> Vec<Value> {
    let mut all = Vec::new();
    walk(&top(&block.transactions[at]), &mut Vec::new(), &mut |call, path| {
        let transaction = &block.transactions[at];
        let mut trace = json!({
            "action": {
                "from": call.from, "callType": "call", "gas": "0x15f90", "input": input(call), "to": call.to,
                "value": format!("{:#x}", call.wei)
            },
            "blockHash": block.hash, "blockNumber": block.number,
            "result": {"gasUsed": "0x5208", "output": "0x"}, "subtraces": call.calls.len(), "traceAddress": path,
            "transactionHash": transaction.hash, "transactionPosition": at, "type": "call"
        });
        if transaction.failed {
            trace["error"] = "Reverted".into();
            trace["result"] = Value::Null;
        }
        all.push(trace);
    });
    all
}

/// Each call before those that it makes.
fn walk(call: &Call, path: &mut Vec<usize>, see: &mut impl FnMut(&Call, &[usize])) {
    see(call, path);
    for (at, below) in call.calls.iter().enumerate() {
        path.push(at);
        walk(below, path, see);
        path.pop();
    }
}
