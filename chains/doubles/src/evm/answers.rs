//! Answers, as of execution API specification.

use checkout_core::pair::PAIRS;
use serde_json::{Value, json};

use super::chain::{Block, Chain, Log, Transaction, hash};
use super::traces;

pub type Answer = Result<Value, (i64, &'static str)>;

pub(super) const INVALID: (i64, &str) = (-32602, "invalid argument");

const GWEI: u64 = 1_000_000_000;

/// Blocks that the `safe` and the `finalized` one lag behind. On Ethereum they are 32 and 64.
const SAFE: u64 = 8;
const FINALIZED: u64 = 16;

pub fn answer(chain: &mut Chain, method: &str, params: &Value) -> Answer {
    match method {
        "eth_chainId" => Ok(json!(format!("{:#x}", chain.chain_id))),
        "eth_syncing" => Ok(json!(false)),
        "eth_getBlockByNumber" => {
            let number = match params[0].as_str().ok_or(INVALID)? {
                "latest" | "pending" => chain.head().number,
                "safe" => chain.head().number.saturating_sub(SAFE),
                "finalized" => chain.head().number.saturating_sub(FINALIZED),
                number => read(number)?,
            };
            let block = of_number(chain, number);
            Ok(block.map_or(Value::Null, |block| shown(chain, block, params[1] == json!(true))))
        }
        "eth_getBlockByHash" => {
            let block = of_hash(chain, params[0].as_str().ok_or(INVALID)?);
            Ok(block.map_or(Value::Null, |block| shown(chain, block, params[1] == json!(true))))
        }
        "eth_getLogs" => logs(chain, &params[0]),
        "eth_getTransactionReceipt" => {
            let asked = params[0].as_str().ok_or(INVALID)?;
            let found = place(chain, asked).filter(|_| !chain.lacks_receipts);
            Ok(found.map_or(Value::Null, |(block, at, _)| receipt(block, at)))
        }
        "eth_getBlockReceipts" => {
            let block = of_hash(chain, params[0].as_str().ok_or(INVALID)?).filter(|_| !chain.lacks_receipts);
            Ok(block.map_or(Value::Null, |block| {
                (0..block.transactions.len()).map(|at| receipt(block, at)).collect()
            }))
        }
        "eth_getTransactionByHash" => {
            let asked = params[0].as_str().ok_or(INVALID)?;
            let waits = chain.pending.iter().any(|transaction| transaction.hash == asked);
            Ok(match place(chain, asked) {
                Some((block, _, found)) => json!({"blockHash": block.hash, "type": type_of(found)}),
                None if waits => json!({"blockHash": null}),
                None => Value::Null,
            })
        }
        "debug_traceBlockByHash" => {
            let asked = params[0].as_str().ok_or(INVALID)?;
            let block = of_hash(chain, asked).ok_or((-32000, "block not found"))?;
            Ok(traces::debug(block))
        }
        "debug_traceTransaction" => {
            let found = place(chain, params[0].as_str().ok_or(INVALID)?);
            let (_, _, transaction) = found.ok_or((-32000, "transaction not found"))?;
            Ok(traces::call_tree(transaction))
        }
        "trace_block" => {
            let number = read(params[0].as_str().ok_or(INVALID)?)?;
            let block = of_number(chain, number).ok_or((-32000, "block not found"))?;
            Ok((0..block.transactions.len()).flat_map(|at| traces::flat(block, at)).collect())
        }
        "trace_transaction" => {
            let found = place(chain, params[0].as_str().ok_or(INVALID)?);
            Ok(found.map_or(Value::Null, |(block, at, _)| traces::flat(block, at).into()))
        }
        // Nobody is a contract.
        "eth_getCode" => Ok(json!("0x")),
        "eth_call" => {
            let to = params[0]["to"].as_str().ok_or(INVALID)?;
            // `balanceOf(address)`: everybody is rich.
            if params[0]["data"].as_str().is_some_and(|data| data.starts_with("0x70a08231")) {
                return Ok(json!(format!("0x{:064x}", u128::MAX >> 8)));
            }
            let is = |contract: &str| contract.eq_ignore_ascii_case(to);
            let decimals = PAIRS.iter().find(|pair| pair.contract.is_some_and(is)).map(|pair| pair.decimals);
            Ok(json!(format!("0x{:064x}", decimals.unwrap_or(6))))
        }
        "eth_getBalance" => Ok(json!(format!("{:#x}", 1_000_000_000_000_000_000_000_u128))),
        "eth_getTransactionCount" => {
            let waiting = chain.pending.iter().filter(|transaction| transaction.from.is_empty()).count();
            let more = if params[1] == "pending" { waiting as u64 } else { 0 };
            Ok(json!(format!("{:#x}", chain.nonce - waiting as u64 + more)))
        }
        "eth_estimateGas" => Ok(json!("0x5208")),
        "eth_gasPrice" | "eth_maxPriorityFeePerGas" => Ok(json!(format!("{GWEI:#x}"))),
        "eth_feeHistory" => Ok(json!({
            "oldestBlock": "0x1", "baseFeePerGas": [format!("{GWEI:#x}"), format!("{GWEI:#x}")],
            "gasUsedRatio": [0.5], "reward": [[format!("{GWEI:#x}")]]
        })),
        "eth_sendRawTransaction" => {
            let bytes =
                params[0].as_str().and_then(|text| hex::decode(text.get(2..)?).ok()).ok_or(INVALID)?;
            let hash = hash(&bytes);
            if chain.pending.iter().any(|waiting| waiting.hash == hash) {
                return Err((-32000, "already known"));
            }
            if place(chain, &hash).is_some() {
                return Err((-32000, "nonce too low"));
            }
            chain.nonce += 1;
            let (from, to) = (String::new(), format!("0x{:040}", 1));
            chain.pending.push(Transaction { hash: hash.clone(), from, to, ..Transaction::default() });
            Ok(json!(hash))
        }
        _ => Err((-32601, "the method does not exist/is not available")),
    }
}

fn read(number: &str) -> Result<u64, (i64, &'static str)> {
    u64::from_str_radix(number.trim_start_matches("0x"), 16).map_err(|_| INVALID)
}

fn of_number(chain: &Chain, number: u64) -> Option<&Block> {
    chain.blocks.get(usize::try_from(number).ok()?)
}

fn of_hash<'a>(chain: &'a Chain, hash: &str) -> Option<&'a Block> {
    // Only the newest blocks are asked for.
    chain.blocks.iter().rev().take(512).find(|block| block.hash == hash)
}

/// Deposits of the OP Stack have 0x7e, messages to Arbitrum 0x64 to 0x6a: op-geth `core/types/deposit_tx.go`, nitro's go-ethereum
/// `core/types/arb_types.go`.
fn type_of(transaction: &Transaction) -> String {
    format!("{:#x}", if transaction.message_type == 0 { 2 } else { transaction.message_type })
}

fn shown(chain: &Chain, block: &Block, is_full: bool) -> Value {
    let parent =
        block.number.checked_sub(1).and_then(|number| chain.blocks.get(usize::try_from(number).ok()?));
    let transaction = |(at, transaction): (usize, &Transaction)| {
        if !is_full {
            return json!(transaction.hash);
        }
        let input = if transaction.gas() == 21_000 { "0x" } else { "0xa9059cbb" };
        json!({
            "hash": transaction.hash, "from": transaction.payer(), "to": transaction.to,
            "value": format!("{:#x}", transaction.wei), "blockHash": block.hash,
            "blockNumber": format!("{:#x}", block.number), "transactionIndex": format!("{at:#x}"),
            "gas": format!("{:#x}", transaction.gas()), "input": input, "type": type_of(transaction)
        })
    };
    let gas: u64 = block.transactions.iter().map(Transaction::gas).sum();
    json!({
        "hash": block.hash, "parentHash": parent.map_or_else(|| hash(b"none"), |parent| parent.hash.clone()),
        "number": format!("{:#x}", block.number), "timestamp": format!("{:#x}", block.time),
        "baseFeePerGas": format!("{GWEI:#x}"), "logsBloom": block.bloom(),
        "transactionsRoot": block.root("transactions"), "receiptsRoot": block.root("receipts"),
        "gasUsed": format!("{gas:#x}"), "gasLimit": "0x2255100",
        "transactions": block.transactions.iter().enumerate().map(transaction).collect::<Vec<_>>()
    })
}

fn log(block: &Block, transaction: &Transaction, index: usize, log: &Log) -> Value {
    json!({
        "address": log.address, "topics": log.topics, "data": log.data, "blockHash": block.hash,
        "blockNumber": format!("{:#x}", block.number), "transactionHash": transaction.hash, "logIndex": format!("{index:#x}"), "removed": false
    })
}

/// All logs of a block, with their transactions.
fn all_logs(block: &Block) -> Vec<(&Transaction, &Log)> {
    let mut all = Vec::new();
    for transaction in &block.transactions {
        all.extend(transaction.logs.iter().map(|log| (transaction, log)));
    }
    all
}

fn logs(chain: &mut Chain, filter: &Value) -> Answer {
    if chain.lacks_logs > 0 {
        chain.lacks_logs -= 1;
        return Ok(json!([]));
    }
    let asked = filter["blockHash"].as_str().ok_or(INVALID)?;
    let block = of_hash(chain, asked).ok_or((-32000, "unknown block"))?;
    let contracts: Vec<String> = filter["address"]
        .as_array()
        .map(|all| all.iter().filter_map(|one| Some(one.as_str()?.to_ascii_lowercase())).collect())
        .unwrap_or_default();
    let found = all_logs(block).into_iter().enumerate().filter(|(_, (_, log))| {
        contracts.contains(&log.address)
            && log.topics.first().map(String::as_str) == filter["topics"][0].as_str()
    });
    Ok(found.map(|(index, (transaction, found))| log(block, transaction, index, found)).collect())
}

fn place<'a>(chain: &'a Chain, hash: &str) -> Option<(&'a Block, usize, &'a Transaction)> {
    let blocks = chain.blocks.iter().rev().take(512);
    blocks
        .flat_map(|block| {
            block.transactions.iter().enumerate().map(move |(at, transaction)| (block, at, transaction))
        })
        .find(|(_, _, transaction)| transaction.hash == hash)
}

fn receipt(block: &Block, at: usize) -> Value {
    let transaction = &block.transactions[at];
    let logs: Vec<Value> = all_logs(block)
        .into_iter()
        .enumerate()
        .filter(|(_, (of, _))| of.hash == transaction.hash)
        .map(|(index, (_, found))| log(block, transaction, index, found))
        .collect();
    json!({
        "transactionHash": transaction.hash, "transactionIndex": format!("{at:#x}"), "blockHash": block.hash,
        "blockNumber": format!("{:#x}", block.number), "from": transaction.payer(), "to": transaction.to,
        "status": if transaction.failed { "0x0" } else { "0x1" }, "gasUsed": format!("{:#x}", transaction.gas()),
        "effectiveGasPrice": format!("{GWEI:#x}"), "logs": logs, "type": "0x2"
    })
}
