//! `debug_traceBlockByHash` and `debug_traceTransaction` with geth's call tracer: a tree of calls.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

use alloy_primitives::{Address, B256, U256};
use serde::de::{Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use serde_json::value::RawValue;

use super::EachTrace;
use super::frames::{CallKind, Frame};
use crate::node::Node;
use crate::node::block::Block;
use checkout_chain_http::NodeError;

/// Calls are nested at most 1,024 deep (Yellow Paper, section 9.4.1).
const DEEPEST: u32 = 1_100;

/// For the deepest call. A thread takes only what it uses.
const STACK: usize = 64 * 1024 * 1024;

/// One transaction of a block.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Traced<'a> {
    tx_hash: Option<B256>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct CallFrame {
    #[serde(rename = "type")]
    kind: Kind,
    from: Address,
    to: Option<Address>,
    value: Option<U256>,
    error: Option<IgnoredAny>,
    #[serde(default)]
    calls: Calls,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier, rename_all = "UPPERCASE")]
enum Kind {
    Call,
    #[serde(alias = "CREATE2")]
    Create,
    SelfDestruct,
    DelegateCall,
    StaticCall,
    CallCode,
}

impl CallFrame {
    /// What it moves. A failed call moves nothing.
    fn frame(&self, depth: u32) -> Result<Frame, &'static str> {
        let kind = match self.kind {
            Kind::Call => CallKind::Call,
            Kind::Create => CallKind::Create,
            Kind::SelfDestruct => CallKind::SelfDestruct,
            Kind::DelegateCall | Kind::StaticCall | Kind::CallCode => CallKind::Other,
        };
        let failed = self.error.is_some();
        let pays = matches!(kind, CallKind::Call | CallKind::SelfDestruct) && !failed;
        if pays && (self.to.is_none() || self.value.is_none()) {
            return Err("a call of it has no recipient or no value");
        }
        let (to, value) = (self.to.unwrap_or_default(), self.value.unwrap_or_default());
        Ok(Frame { depth, kind, from: self.from, to, value, failed })
    }
}

/// The calls of a call. A counter bounds their depth, which the parser does not.
#[derive(Default)]
struct Calls(Vec<CallFrame>);

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

impl<'de> Deserialize<'de> for Calls {
    fn deserialize<D: Deserializer<'de>>(calls: D) -> Result<Self, D::Error> {
        struct Below;

        impl<'de> Visitor<'de> for Below {
            type Value = Vec<CallFrame>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("calls")
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Vec::new())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut calls: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(call) = calls.next_element()? {
                    all.push(call);
                }
                Ok(all)
            }
        }

        let depth = DEPTH.get() + 1;
        if depth > DEEPEST {
            return Err(D::Error::custom("its calls are nested too deep"));
        }
        DEPTH.set(depth);
        let all = calls.deserialize_any(Below);
        DEPTH.set(depth - 1);
        all.map(Self)
    }
}

pub(super) async fn block(node: &Node, block: &Block) -> Result<EachTrace, NodeError> {
    const METHOD: &str = "debug_traceBlockByHash";
    let answer: Box<RawValue> = node.rpc.call(METHOD, json!([block.hash, {"tracer": "callTracer"}])).await?;
    let hashes = block.hashes.clone();
    let read = aside(move || of_block(answer.get(), &hashes)).await;
    read.map_err(|why| NodeError::malformed(METHOD, why))
}

pub(super) async fn transaction(node: &Node, transaction: B256) -> Result<Vec<Frame>, NodeError> {
    const METHOD: &str = "debug_traceTransaction";
    let answer: Box<RawValue> = node.rpc.call(METHOD, json!([transaction, {"tracer": "callTracer"}])).await?;
    let read = aside(move || of_transaction(answer.get())).await;
    read.map_err(|why| NodeError::malformed(METHOD, why))
}

/// Long traces do not keep the async workers busy, and deep ones need a stack.
async fn aside<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let (done, result) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().stack_size(STACK);
    // Nobody waits any more after the time limit.
    let started = thread.spawn(move || drop(done.send(read())));
    started.map_err(|error| format!("no thread can be started: {error}"))?;
    result.await.unwrap_or_else(|_| Err("reading it failed".to_owned()))
}

fn of_block(text: &str, hashes: &[Option<B256>]) -> Result<EachTrace, String> {
    let traced: Vec<Traced<'_>> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if traced.len() != hashes.len() {
        return Err(format!("{} traces for {} transactions", traced.len(), hashes.len()));
    }
    let mut all = Vec::with_capacity(traced.len());
    let mut seen = BTreeSet::new();
    for (Traced { tx_hash, result, error }, listed) in traced.into_iter().zip(hashes) {
        // Older nodes name no transaction; their traces are in the order of the block.
        let Some(hash) = tx_hash.or(*listed) else { continue };
        if tx_hash.is_some() && !hashes.contains(&tx_hash) {
            return Err(format!("the trace of {hash} is of another block"));
        }
        if !seen.insert(hash) {
            return Err(format!("{hash} has two traces"));
        }
        all.push((
            hash,
            match (result, error) {
                (Some(call), None) => of_transaction(call.get()),
                (_, error) => Err(error.map_or("it has no trace", RawValue::get).to_owned()),
            },
        ));
    }
    Ok(all)
}

/// One pass over the text.
fn of_transaction(text: &str) -> Result<Vec<Frame>, String> {
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.disable_recursion_limit();
    DEPTH.set(0);
    let top = CallFrame::deserialize(&mut parser).map_err(|error| error.to_string())?;
    let mut frames = Vec::new();
    flatten(top, 0, &mut frames)?;
    Ok(frames)
}

/// Each call before the calls below it, in order.
fn flatten(call: CallFrame, depth: u32, frames: &mut Vec<Frame>) -> Result<(), &'static str> {
    frames.push(call.frame(depth)?);
    for below in call.calls.0 {
        flatten(below, depth + 1, frames)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::frames;
    use super::*;

    fn call(value: u8, calls: &str) -> String {
        let account = Address::ZERO;
        format!(
            r#"{{"type":"CALL","from":"{account}","to":"{account}","calls":[{calls}],"value":"{value:#x}"}}"#
        )
    }

    fn nested(depth: u32) -> String {
        let account = Address::ZERO;
        let start = format!(r#"{{"type":"CALL","from":"{account}","to":"{account}","calls":["#);
        let end = r#"],"value":"0x1"}"#;
        [start.repeat(depth as usize), end.repeat(depth as usize)].concat()
    }

    fn traced(call: &str) -> String {
        format!(r#"[{{"txHash":"{}","result":{call}}}]"#, B256::ZERO)
    }

    async fn read(text: String) -> Result<Vec<Frame>, String> {
        aside(move || of_transaction(&text)).await
    }

    #[tokio::test]
    async fn the_deepest_call_is_read_and_no_deeper_one() {
        let check = async |depth, expected: Option<usize>| {
            assert_eq!(read(nested(depth)).await.ok().map(|frames| frames.len()), expected, "{depth}");
        };
        check(1, Some(1)).await;
        check(1_025, Some(1_025)).await;
        check(DEEPEST, Some(DEEPEST as usize)).await;
        check(DEEPEST + 1, None).await;
        check(1_000_000, None).await;
    }

    #[tokio::test]
    async fn calls_are_in_the_order_in_which_they_began() {
        let tree =
            call(1, &[call(2, &call(3, "")), call(4, &[call(5, ""), call(6, "")].join(","))].join(","));
        let moves = frames::moves(B256::ZERO, &read(tree).await.unwrap());
        let values: Vec<u64> = moves.iter().map(|moved| moved.value.to()).collect();
        assert_eq!(values, [2, 3, 4, 5, 6]);
    }

    #[test]
    fn an_entry_that_cannot_be_read_costs_only_itself() {
        let one = |fields: &str| format!(r#"{{"txHash":"{}",{fields}}}"#, B256::with_last_byte(1));
        let good = format!(r#"{{"txHash":"{}","result":{}}}"#, B256::with_last_byte(2), call(1, ""));
        let hashes = [1, 2].map(|number| Some(B256::with_last_byte(number)));
        for odd in [
            r#""error":"execution timeout""#,
            r#""error":{"code":-32000,"message":"aborted"}"#,
            r#""result":null"#,
            r#""result":{}"#,
            r#""result":7"#,
            r#""result":{"type":"CALL","from":"0x12"}"#,
            &format!(r#""result":{}"#, call(1, "7")),
        ] {
            for text in [format!("[{},{good}]", one(odd)), format!("[{good},{}]", one(odd))] {
                let mut all = of_block(&text, &hashes).unwrap();
                all.sort_by_key(|(hash, _)| *hash);
                assert!(all[0].1.is_err() && all[1].1.is_ok(), "{text}");
            }
        }
        for text in
            ["[]", "{}", "null", &traced(&call(1, "")), &format!("[{good}]"), &format!("[{good},{good}]")]
        {
            assert!(of_block(text, &hashes).is_err(), "{text}");
        }
    }

    #[test]
    fn traces_without_names_are_in_the_order_of_the_block() {
        let text = format!(r#"[{{"result":{}}},{{"result":{}}}]"#, call(1, ""), call(2, ""));
        let hashes = [1, 2].map(|number| Some(B256::with_last_byte(number)));
        let all = of_block(&text, &hashes).unwrap();
        let values: Vec<u64> = all.iter().map(|(_, frames)| frames.as_ref().unwrap()[0].value.to()).collect();
        assert_eq!((all[0].0, values), (B256::with_last_byte(1), vec![1, 2]));
    }
}
