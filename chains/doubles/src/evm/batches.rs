//! Limits of batches, in the words of servers that have them.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::hostile::Hostile;

/// The name of the limit, status and text.
const WHOLE: &[(&str, u16, &str)] = &[
    // mainnet.base.org, 2026
    (
        "batch of Base",
        200,
        r#"{"jsonrpc":"2.0","error":{"code":-32014,"message":"maximum 10 calls in 1 batch"},"id":null}"#,
    ),
    // Erigon 2.40, rpc/http.go (erigontech/erigon#7072)
    (
        "batch of Erigon",
        200,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"batch limit 3 exceeded: 20 requests given"}}"#,
    ),
    // Besu 23.1, `--rpc-max-batch-size` (hyperledger/besu#4951)
    (
        "batch of Besu",
        400,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"Number of requests in batch exceeds --rpc-max-batch-size"}}"#,
    ),
    // jsonrpsee 0.18, types/src/error.rs, under reth
    (
        "batch of reth",
        200,
        r#"{"jsonrpc":"2.0","error":{"code":-32010,"message":"The batch request was too large","data":"Exceeded max limit of 3"},"id":null}"#,
    ),
    // mainnet.optimism.io, 2026
    ("batch: 413", 413, "Payload Too Large"),
    ("batch: 400", 400, "Bad Request"),
    ("batch: 500", 500, "Internal Server Error"),
    ("batch: 504", 504, "<html><head><title>504 Gateway Time-out</title></head></html>"),
];

pub(super) fn refused(hostile: &Hostile, calls: &[Value]) -> Option<(StatusCode, String)> {
    let is_over = |name: &str| hostile.page(name, calls.len()) < calls.len();
    if let Some((_, status, text)) = WHOLE.iter().find(|(name, ..)| is_over(name)) {
        return Some((StatusCode::from_u16(*status).expect("a status"), (*text).to_owned()));
    }
    // go-ethereum 1.13, rpc/handler.go: an error for the first call, and no other answer.
    is_over("batch of geth").then(|| {
        let error = json!({"code": -32600, "message": "batch too large"});
        (StatusCode::OK, json!([{"jsonrpc": "2.0", "id": calls[0]["id"], "error": error}]).to_string())
    })
}

/// The error of each call beyond the limit; without one it has no answer.
const BEYOND: &[(&str, Option<(i64, &str)>)] = &[
    ("batch: cut", None),
    ("batch: each", Some((-32600, "batch size exceeded"))),
    // mainnet.base.org, 2026
    ("batch: rate", Some((-32016, "over rate limit"))),
    // go-ethereum 1.13, rpc/errors.go: the answers have more than 25 MB together.
    ("batch: size", Some((-32003, "response too large"))),
    // The same: they took longer than 30 s.
    ("batch: time", Some((-32002, "request timed out"))),
];

pub(super) fn cut(hostile: &Hostile, answers: &mut Vec<Value>) {
    // A second answer for each call beyond the limit, before the right one.
    let most = hostile.page("batch: twice", answers.len());
    let others =
        answers[most..].iter().map(|answer| json!({"jsonrpc": "2.0", "id": answer["id"], "result": null}));
    let others: Vec<Value> = others.collect();
    answers.splice(0..0, others);
    for (name, error) in BEYOND {
        let most = hostile.page(name, answers.len());
        match error {
            None => answers.truncate(most),
            Some((code, message)) => {
                for answer in answers.iter_mut().skip(most) {
                    let error = json!({"code": code, "message": message});
                    *answer = json!({"jsonrpc": "2.0", "id": answer["id"], "error": error});
                }
            }
        }
    }
}
