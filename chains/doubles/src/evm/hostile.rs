//! Hostile answers of nodes and providers of EVM networks. The words are those of go-ethereum 1.16 (`internal/ethapi`, `eth/tracers`,
//! `rpc`), Erigon 3, Nethermind 1.35 (`EthRpcModule.cs`), reth 1.9 (`rpc-eth-types`), Besu 25, bor 2 and nitro 3, and of the documentation of
//! Alchemy, Infura, QuickNode, dRPC, Chainstack and Cloudflare; nulls, other types and lists in another order are not seen at nodes, but at
//! what stands before them.

use crate::hostile::Costs::{Answer, Entry, Name, NotOurs, Nothing};
use crate::hostile::Odd::{
    Elsewhere, Head, Id, Is, Lacks, Late, LeftOut, Long, PageOf, Reversed, Says, Twice,
};
use crate::hostile::{Costs, Odd, Row, row};

const fn transaction(odd: Odd, costs: Costs) -> Row {
    row("eth_getBlockByNumber", odd, costs)
}

/// With pointers below `/result`.
const fn block(odd: Odd, costs: Costs) -> Row {
    row("block", odd, costs)
}

/// Of one transaction, and of the block.
const fn receipt(odd: Odd, costs: Costs) -> Row {
    row("receipts", odd, costs)
}

const fn logs(odd: Odd, costs: Costs) -> Row {
    row("eth_getLogs", odd, costs).of("token")
}

const fn refused_logs(text: &'static str) -> Row {
    logs(Says(200, text), Nothing)
}

/// Of the block, and of the transaction.
const fn trace(odd: Odd, costs: Costs) -> Row {
    row("debug_trace", odd, costs).of("internal")
}

const fn block_trace(odd: Odd, costs: Costs) -> Row {
    row("debug_traceBlockByHash", odd, costs).of("internal")
}

/// The call that pays, in a flat list.
const fn inner(odd: Odd, costs: Costs) -> Row {
    row("inner trace", odd, costs).of("internal")
}

const fn flat(odd: Odd, costs: Costs) -> Row {
    row("trace_block", odd, costs).of("internal")
}

const fn batch(name: &'static str) -> Row {
    row(name, PageOf(3), Nothing)
}

const NULL: &str = r#"{"jsonrpc":"2.0","result":null}"#;
const EMPTY: &str = r#"{"jsonrpc":"2.0","result":[]}"#;
const NUMBER: &str = r#"{"jsonrpc":"2.0","result":7}"#;
const INTERNAL: &str = r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"}}"#;
const OTHER: &str = r#""0x00000000000000000000000000000000000000000000000000000000000000ff""#;
/// More than 256 bits.
const HUGE: &str = r#""0x10000000000000000000000000000000000000000000000000000000000000000""#;

pub static ROWS: &[Row] = &[
    // A proxy that gives the answer to another request.
    row("latest", Id("7"), Answer),
    row("header", Id("7"), Nothing),
    block(Id("7"), Answer),
    receipt(Id("7"), Entry),
    receipt(Id("null"), Entry),
    logs(Id("7"), Nothing),
    trace(Id("7"), Entry),
    transaction(Is("/value", "null"), Entry).of("native"),
    transaction(Is("/value", "[]"), Entry).of("native"),
    transaction(Is("/value", HUGE), Entry).of("native"),
    transaction(Lacks("/value"), Entry).of("native"),
    transaction(Is("/from", "null"), Entry).of("native"),
    transaction(Is("/from", r#""0x12""#), Entry).of("native"),
    transaction(Is("/to", "7"), Entry).of("native"),
    transaction(Lacks("/to"), Entry).of("native"),
    transaction(Is("/hash", "null"), Name).of("native"),
    transaction(Is("/hash", r#""0x12""#), Name).of("native"),
    transaction(Is("", "null"), Name).of("native"),
    transaction(Is("", "7"), Name).of("native"),
    transaction(Is("", OTHER), Name).of("native"),
    transaction(Is("/transactionIndex", "null"), Nothing),
    transaction(Is("/transactionIndex", "[]"), Nothing),
    transaction(Is("/transactionIndex", r#""0xffff""#), Answer),
    transaction(Is("/transactionIndex", r#""0x0""#), Answer),
    transaction(Lacks("/gas"), Nothing),
    transaction(Is("/gas", "null"), Nothing).of("internal"),
    transaction(Is("/input", "null"), Nothing),
    transaction(LeftOut, Answer),
    transaction(Twice, Nothing),
    transaction(Reversed, Nothing),
    transaction(Late(1_200), Nothing),
    transaction(Elsewhere, Answer),
    transaction(Says(200, NULL), Answer),
    transaction(Says(200, NUMBER), Answer),
    transaction(Says(200, INTERNAL), Answer),
    transaction(Says(500, "Internal Server Error"), Answer),
    transaction(Says(502, "Bad Gateway"), Answer),
    block(Is("/result/transactions", "[]"), Answer),
    block(Is("/result/transactions", "null"), Answer),
    block(Lacks("/result/transactions"), Answer),
    block(Is("/result/logsBloom", "null"), Nothing).of("token"),
    block(Is("/result/logsBloom", r#""0x""#), Nothing).of("token"),
    block(Is("/result/transactionsRoot", "null"), Nothing),
    block(Is("/result/gasUsed", "null"), Nothing),
    block(Is("/result/timestamp", "null"), Answer),
    block(Is("/result/hash", "null"), Answer),
    block(Is("/result/parentHash", OTHER), Answer),
    block(Is("/result/number", r#""0x1""#), Answer),
    row("latest", Head("/number", r#""0x1000""#), Nothing),
    row("latest", Head("/number", r#""0xffffffffffffffff""#), Nothing),
    row("latest", Head("/number", r#""0x0""#), Answer),
    row("latest", Head("/number", r#""-0x1""#), Answer),
    row("latest", Head("/number", "1.5"), Answer),
    row("latest", Says(200, NULL), Answer),
    row("latest", Says(200, INTERNAL), Answer),
    row("latest", Elsewhere, Answer),
    receipt(Is("", "null"), Entry),
    receipt(Is("", "[]"), Entry),
    receipt(Is("/status", "null"), Entry),
    receipt(Is("/status", "[]"), Entry),
    receipt(Is("/status", r#""0x2""#), Entry),
    receipt(Is("/status", r#""success""#), Entry),
    receipt(Is("/status", HUGE), Entry),
    receipt(Lacks("/status"), Entry),
    receipt(Is("/blockHash", "null"), Entry),
    receipt(Is("/blockHash", OTHER), Entry),
    receipt(Is("/transactionHash", OTHER), Entry),
    receipt(Is("/gasUsed", "null"), Nothing),
    receipt(Is("/gasUsed", HUGE), Nothing),
    receipt(Lacks("/effectiveGasPrice"), Nothing),
    receipt(Is("/from", "null"), Nothing),
    receipt(Is("/logs", "null"), Nothing).of("native"),
    receipt(Is("/logs", "null"), Entry).of("token"),
    receipt(Is("/logs", "[]"), Entry).of("token"),
    receipt(Is("/logs/0", "null"), Entry).of("token"),
    receipt(Is("/logs/0/data", "null"), Entry).of("token"),
    receipt(Is("/logs/0/data", OTHER), Entry).of("token"),
    receipt(Is("/logs/0/topics", "[]"), Entry).of("token"),
    receipt(Is("/logs/0/logIndex", "null"), Nothing).of("token"),
    receipt(Is("/logs/0/logIndex", r#""0x0""#), Nothing).of("token"),
    receipt(Is("/logs/0/logIndex", r#""0x3""#), Nothing).of("token"),
    receipt(Is("/logs/0/transactionHash", "null"), Nothing).of("token"),
    // A transaction that failed has no logs and moves nothing.
    receipt(Is("/status", r#""0x0""#), Entry).of("token"),
    receipt(Is("/status", r#""0x0""#), Entry).of("internal"),
    receipt(Twice, Nothing).of("token"),
    receipt(Reversed, Nothing).of("token"),
    receipt(Elsewhere, Entry),
    receipt(Says(200, NULL), Entry),
    receipt(Says(200, NUMBER), Entry),
    receipt(Says(200, INTERNAL), Entry),
    row("receipts of another block", Elsewhere, Entry),
    row("eth_getTransactionReceipt", Says(200, NULL), Nothing),
    row("eth_getTransactionReceipt", Says(500, "Internal Server Error"), Nothing),
    receipt(Says(500, "Internal Server Error"), Entry),
    row("eth_getTransactionReceipt", Is("/status", "null"), Nothing),
    row("eth_getTransactionReceipt", Is("/transactionHash", OTHER), Nothing),
    row("eth_getTransactionReceipt", Late(1_200), Nothing),
    logs(Is("", "null"), Nothing),
    logs(Is("", "7"), Nothing),
    logs(Is("/data", "null"), Nothing),
    logs(Is("/data", r#""0x""#), Nothing),
    logs(Is("/data", OTHER), Entry),
    logs(Is("/topics", "[]"), Nothing),
    logs(Is("/topics", "null"), Nothing),
    logs(Is("/address", "null"), Nothing),
    logs(Is("/address", r#""0x00000000000000000000000000000000000000ff""#), Nothing),
    logs(Is("/blockHash", "null"), Nothing),
    logs(Is("/blockHash", OTHER), Nothing),
    logs(Is("/transactionHash", "null"), Nothing),
    logs(Is("/transactionHash", OTHER), Name),
    logs(Is("/logIndex", "null"), Nothing),
    logs(Is("/logIndex", r#""0x0""#), Nothing),
    logs(Is("/logIndex", HUGE), Nothing),
    logs(Lacks("/logIndex"), Nothing),
    logs(Is("/removed", "null"), Nothing),
    logs(Is("/removed", "true"), Nothing),
    logs(Twice, Nothing),
    logs(Reversed, Nothing),
    logs(Late(1_200), Nothing),
    logs(Elsewhere, Nothing),
    logs(Says(500, "Internal Server Error"), Nothing),
    row("eth_getLogs of another block", Elsewhere, Nothing).of("token"),
    refused_logs(EMPTY),
    refused_logs(NULL),
    refused_logs(NUMBER),
    refused_logs(INTERNAL),
    refused_logs(r#"{"error":{"code":-32005,"message":"query returned more than 10000 results"}}"#),
    refused_logs(r#"{"error":{"code":-32602,"message":"query returned more than 10000 results"}}"#),
    refused_logs(r#"{"error":{"code":-32000,"message":"query returned more than 10000 results"}}"#),
    refused_logs(r#"{"error":{"code":-32005,"message":"query timeout exceeded"}}"#),
    refused_logs(r#"{"error":{"code":-32005,"message":"limit exceeded"}}"#),
    refused_logs(
        r#"{"error":{"code":-32005,"message":"Too many logs requested. Max logs per response is 20000."}}"#,
    ),
    refused_logs(
        r#"{"error":{"code":-32602,"message":"query exceeds max results 20000, retry with the range 401-401"}}"#,
    ),
    refused_logs(
        r#"{"error":{"code":-32602,"message":"Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range"}}"#,
    ),
    refused_logs(r#"{"error":{"code":-32614,"message":"eth_getLogs is limited to a 10,000 range"}}"#),
    refused_logs(r#"{"error":{"code":-32005,"message":"Requested range exceeds maximum RPC range limit"}}"#),
    refused_logs(
        r#"{"error":{"code":35,"message":"ranges over 10000 blocks are not supported on freetier"}}"#,
    ),
    refused_logs(r#"{"error":{"code":-32020,"message":"backend response too large"}}"#),
    refused_logs(r#"{"error":{"code":-32047,"message":"Invalid eth_getLogs request. Max range: 800"}}"#),
    refused_logs(
        r#"{"error":{"code":-32601,"message":"the method eth_getLogs does not exist/is not available"}}"#,
    ),
    row("debug_traceBlockByHash", Is("/result", "null"), Nothing).of("native"),
    block_trace(Says(200, NULL), Nothing),
    block_trace(Says(200, EMPTY), Nothing),
    block_trace(Says(200, NUMBER), Nothing),
    block_trace(Says(200, INTERNAL), Nothing),
    block_trace(
        Says(
            200,
            r#"{"error":{"code":-32000,"message":"required historical state unavailable (reexec=128)"}}"#,
        ),
        Nothing,
    ),
    block_trace(
        Says(200, r#"{"error":{"code":-32000,"message":"parent block 0x12 does not exist"}}"#),
        Nothing,
    ),
    block_trace(Says(502, "Bad Gateway"), Nothing),
    block_trace(Is("/txHash", "null"), Nothing),
    block_trace(Is("/txHash", OTHER), Nothing),
    block_trace(Is("", "null"), Nothing),
    block_trace(Is("/error", r#""execution timeout""#), Nothing),
    block_trace(Twice, Nothing),
    block_trace(LeftOut, Nothing),
    block_trace(Reversed, Nothing),
    block_trace(Elsewhere, Nothing),
    block_trace(Late(8_500), Nothing),
    row("debug_traceBlockByHash", Late(0), Nothing).of("deep"),
    trace(Long("/result/input", 160 << 20), Entry),
    trace(Says(200, NULL), Entry),
    trace(Says(200, INTERNAL), Entry),
    trace(Elsewhere, Entry),
    trace(Is("", "null"), Entry),
    trace(Is("/result", "null"), Entry),
    trace(Is("/result", "{}"), Entry),
    trace(Is("/result", "7"), Entry),
    trace(Lacks("/result"), Entry),
    trace(Is("/result/from", "null"), Entry),
    trace(Is("/result/calls", "7"), Entry),
    trace(Is("/result/calls/0", "null"), Entry),
    trace(Is("/result/calls/0/type", "null"), Entry),
    trace(Is("/result/calls/0/type", r#""TRANSFER""#), Entry),
    trace(Lacks("/result/calls/0/type"), Entry),
    trace(Is("/result/calls/0/to", "null"), Entry),
    trace(Is("/result/calls/0/to", r#""0x12""#), Entry),
    trace(Lacks("/result/calls/0/to"), Entry),
    trace(Is("/result/calls/0/from", "null"), Entry),
    trace(Is("/result/calls/0/value", "null"), Entry),
    trace(Is("/result/calls/0/value", HUGE), Entry),
    trace(Is("/result/calls/0/value", "[]"), Entry),
    trace(Is("/result/calls/0/error", "null"), Nothing),
    trace(Is("/result/calls/0/input", "null"), Nothing),
    trace(Is("/result/gasUsed", "null"), Nothing),
    flat(Says(200, NULL), Nothing),
    flat(Says(200, EMPTY), Nothing),
    flat(Says(200, INTERNAL), Nothing),
    flat(Elsewhere, Nothing),
    row("trace_block of another block", Elsewhere, Nothing).of("internal"),
    row("trace_", Says(200, NULL), Entry).of("internal"),
    row("trace_", Says(200, INTERNAL), Entry).of("internal"),
    row("trace_", Is("/action", "null"), Entry).of("internal"),
    row("trace_", Is("/action/from", "null"), Entry).of("internal"),
    row("trace_", Is("/blockHash", "null"), Entry).of("internal"),
    row("trace_", Reversed, Nothing).of("internal"),
    inner(Is("", "null"), Entry),
    inner(Is("/type", "null"), Entry),
    inner(Is("/type", r#""transfer""#), Entry),
    inner(Is("/action/callType", r#""other""#), Entry),
    inner(Is("/action/to", "null"), Entry),
    inner(Lacks("/action/to"), Entry),
    inner(Is("/action/value", "null"), Entry),
    inner(Is("/action/value", HUGE), Entry),
    inner(Lacks("/action/value"), Entry),
    inner(Is("/traceAddress", "null"), Entry),
    inner(Is("/traceAddress", r#"["0x0"]"#), Entry),
    inner(Is("/error", "null"), Nothing),
    inner(Is("/result", "null"), Nothing),
    inner(Is("/transactionHash", "null"), Nothing),
    inner(Is("/subtraces", r#""0x7""#), Nothing),
    inner(Twice, Nothing),
    batch("batch of Base"),
    batch("batch of Erigon"),
    batch("batch of Besu"),
    batch("batch of reth"),
    batch("batch of geth"),
    batch("batch: 413"),
    batch("batch: 400"),
    batch("batch: 500"),
    batch("batch: 504"),
    batch("batch: cut"),
    batch("batch: twice"),
    batch("batch: each"),
    batch("batch: rate"),
    batch("batch: size"),
    batch("batch: time"),
    row("batch of Base", PageOf(10), Nothing),
    // Of others nothing needs to be readable.
    receipt(Is("", "null"), NotOurs).of("to others"),
    receipt(Is("/status", "null"), NotOurs).of("to others"),
    transaction(Is("/input", "null"), NotOurs).of("failed"),
    receipt(Is("/logs", "null"), NotOurs).of("failed"),
];
