//! Makes answers odd, as the row of the table says that is armed.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::chain::{Block, Chain};
use super::one;

/// The names under which a row can mean a call.
fn names(call: &Value) -> Vec<&'static str> {
    let asked = &call["params"][0];
    match call["method"].as_str().unwrap_or_default() {
        "eth_getBlockByNumber" if call["params"][1] == json!(true) => vec!["eth_getBlockByNumber", "block"],
        "eth_getBlockByNumber" => match asked.as_str() {
            Some("latest") => vec!["latest"],
            Some("safe") => vec!["safe"],
            Some("finalized") => vec!["finalized"],
            _ => vec!["header"],
        },
        "eth_getBlockByHash" => vec!["eth_getBlockByHash", "block"],
        "eth_getLogs" => vec!["eth_getLogs"],
        "eth_getTransactionReceipt" => vec!["eth_getTransactionReceipt", "receipts"],
        "eth_getBlockReceipts" => vec!["eth_getBlockReceipts", "receipts"],
        "debug_traceBlockByHash" => vec!["debug_traceBlockByHash", "debug_trace"],
        "debug_traceTransaction" => vec!["debug_traceTransaction", "debug_trace"],
        "trace_block" => vec!["trace_block", "trace_", "inner trace"],
        "trace_transaction" => vec!["trace_transaction", "trace_", "inner trace"],
        _ => Vec::new(),
    }
}

/// Whether a call asks for the odd transaction, or for its block.
fn is_about(chain: &Chain, call: &Value, odd: &str) -> bool {
    let filter = &call["params"][0];
    let Some(asked) = filter.as_str().or(filter["blockHash"].as_str()) else { return false };
    let has = |block: &&Block| block.transactions.iter().any(|transaction| transaction.hash == odd);
    let is_asked = |block: &Block| block.hash == asked || format!("{:#x}", block.number) == asked;
    let is_tag = matches!(asked, "latest" | "safe" | "finalized");
    is_tag || asked == odd || chain.blocks.iter().rev().take(128).filter(has).any(is_asked)
}

pub(super) fn pause(chain: &Chain, calls: &[Value]) -> Duration {
    let Some(odd) = &chain.odd else { return Duration::ZERO };
    let late = calls.iter().filter(|call| is_about(chain, call, odd));
    late.flat_map(names).map(|name| chain.hostile.pause(name)).max().unwrap_or_default()
}

/// An error is the answer to the whole request.
pub(super) fn answer(chain: &mut Chain, call: &Value) -> Result<Value, (StatusCode, String)> {
    if let Some(mut other) = chain.flip() {
        return Ok(one(&mut other, call));
    }
    let Some(odd) = chain.odd.clone() else { return Ok(one(chain, call)) };
    let names = names(call);
    let is_about = is_about(chain, call, &odd);
    if is_about && let Some((status, text)) = names.iter().find_map(|name| chain.hostile.refusal(name, None))
    {
        return match serde_json::from_str(text) {
            Ok(Value::Object(mut answer)) if status == 200 => {
                answer.insert("id".to_owned(), call["id"].clone());
                Ok(answer.into())
            }
            _ => Err((StatusCode::from_u16(status).expect("a status"), text.to_owned())),
        };
    }
    let is_elsewhere = |other: &str| {
        is_about && names.iter().any(|name| chain.hostile.is_elsewhere(&format!("{name}{other}")))
    };
    let mut answer = if is_elsewhere("") {
        one(&mut chain.behind(), call)
    } else if is_elsewhere(" of another block") {
        one(&mut chain.forked(), call)
    } else {
        one(chain, call)
    };
    if let Some(result) = answer.get_mut("result").filter(|_| is_about) {
        for name in &names {
            edit(chain, name, result, &odd);
        }
    }
    if is_about && let Some(id) = names.iter().find_map(|name| chain.hostile.id(name, None)) {
        answer["id"] = id;
    }
    Ok(answer)
}

fn edit(chain: &Chain, name: &str, result: &mut Value, odd: &str) {
    let hostile = &chain.hostile;
    match (name, result.as_array_mut()) {
        // The last entry of the transaction, not the first.
        ("inner trace", Some(traces)) => {
            traces.reverse();
            hostile.edit(name, result);
            result.as_array_mut().expect("it is a list").reverse();
        }
        ("inner trace", None) => {}
        // A tree has no name, and a block has another one.
        ("block" | "debug_trace" | "debug_traceTransaction", None) => {
            let mut named = json!({"txHash": odd, "result": result.take()});
            hostile.edit(name, &mut named);
            *result = match named {
                Value::Object(mut fields) => fields.remove("result").unwrap_or_default(),
                whole => whole,
            };
        }
        _ => hostile.edit(name, result),
    }
}

pub(super) fn text(chain: &Chain, calls: &[Value], answer: &Value) -> String {
    let all = calls.iter().flat_map(names);
    let all: std::collections::BTreeSet<&str> = all.collect();
    all.into_iter().fold(answer.to_string(), |text, name| chain.hostile.text(name, text))
}
