//! `debug_traceBlockByHash` with geth's call tracer. Its answer is a tree per transaction.

use alloy_primitives::{Address, B256, U256};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::{CallKind, Frame, Move, of_transaction};
use crate::node::Node;
use crate::node::answers::Block;
use checkout_chain_http::NodeError;

const METHOD: &str = "debug_traceBlockByHash";

/// One transaction.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Traced<'a> {
    tx_hash: Option<B256>,
    #[serde(borrow)]
    result: Option<CallFrame<'a>>,
    error: Option<String>,
}

/// Calls can be nested 1,024 deep, but the JSON parser stops at 128 levels, so one transaction could stop the
/// watcher. Nested calls are therefore kept as raw text and parsed one level at a time.
#[derive(Deserialize)]
struct CallFrame<'a> {
    #[serde(rename = "type")]
    kind: String,
    from: Address,
    to: Option<Address>,
    value: Option<U256>,
    error: Option<String>,
    #[serde(borrow)]
    calls: Option<&'a RawValue>,
}

pub(super) async fn moves(node: &Node, block: &Block) -> Result<Vec<Move>, NodeError> {
    let answer: Box<RawValue> = node.rpc.call(METHOD, json!([block.hash, {"tracer": "callTracer"}])).await?;
    let hashes: Vec<B256> = block.transactions.iter().map(|transaction| transaction.hash).collect();
    read(answer.get(), &hashes).map_err(|why| NodeError::malformed(METHOD, why))
}

fn read(text: &str, hashes: &[B256]) -> Result<Vec<Move>, String> {
    let traced: Vec<Traced<'_>> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if traced.len() != hashes.len() {
        return Err(format!("{} traces for {} transactions", traced.len(), hashes.len()));
    }
    let mut moves = Vec::new();
    for (traced, hash) in traced.into_iter().zip(hashes) {
        if traced.tx_hash.is_some_and(|named| named != *hash) {
            return Err("the traces are not in the order of the transactions".to_owned());
        }
        let Some(call) = traced.result else {
            return Err(format!("{hash} has no trace: {}", traced.error.unwrap_or_default()));
        };
        moves.extend(of_transaction(*hash, &frames(call)?));
    }
    Ok(moves)
}

/// Flattens the tree: each call before the calls below it, in order.
fn frames(top: CallFrame<'_>) -> Result<Vec<Frame>, String> {
    let mut frames = Vec::new();
    let mut waiting: Vec<(Vec<u32>, CallFrame<'_>)> = vec![(Vec::new(), top)];
    while let Some((path, call)) = waiting.pop() {
        if let Some(below) = call.calls {
            let below: Vec<CallFrame<'_>> =
                serde_json::from_str(below.get()).map_err(|error| error.to_string())?;
            let mut below: Vec<_> =
                (0..).zip(below).map(|(place, call)| ([&path[..], &[place]].concat(), call)).collect();
            below.reverse();
            waiting.append(&mut below);
        }
        frames.push(Frame {
            path,
            kind: match call.kind.as_str() {
                "CALL" => CallKind::Call,
                "CREATE" | "CREATE2" => CallKind::Create,
                "SELFDESTRUCT" => CallKind::SelfDestruct,
                _ => CallKind::Other,
            },
            from: call.from,
            to: call.to.unwrap_or_default(),
            value: call.value.unwrap_or_default(),
            failed: call.error.is_some(),
        });
    }
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(value: u8, calls: &str) -> String {
        let account = Address::ZERO;
        format!(
            r#"{{"type":"CALL","from":"{account}","to":"{account}","value":"{value:#x}","calls":[{calls}]}}"#
        )
    }

    fn traced(call: &str) -> String {
        format!(r#"[{{"txHash":"{}","result":{call}}}]"#, B256::ZERO)
    }

    #[test]
    fn the_deepest_call_is_read() {
        let deep = (0..1024).fold(String::new(), |inner, _| call(1, &inner));
        assert_eq!(read(&traced(&deep), &[B256::ZERO]).unwrap().len(), 1023);
    }

    #[test]
    fn calls_are_in_the_order_in_which_they_began() {
        let tree =
            call(1, &[call(2, &call(3, "")), call(4, &[call(5, ""), call(6, "")].join(","))].join(","));
        let moves = read(&traced(&tree), &[B256::ZERO]).unwrap();
        let values: Vec<u64> = moves.iter().map(|moved| moved.value.to()).collect();
        assert_eq!(values, [2, 3, 4, 5, 6]);
    }

    #[test]
    fn an_incomplete_answer_is_an_error() {
        let failed = format!(r#"[{{"txHash":"{}","error":"execution timeout"}}]"#, B256::ZERO);
        for (text, hash) in [
            (failed.as_str(), B256::ZERO),
            ("[]", B256::ZERO),
            ("{}", B256::ZERO),
            (&traced(&call(1, "")), B256::with_last_byte(1)),
            (&traced(&call(1, "7")), B256::ZERO),
        ] {
            assert!(read(text, &[hash]).is_err(), "{text}");
        }
    }
}
