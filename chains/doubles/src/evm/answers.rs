//! Answers, as of execution API specification; traces as geth's call tracer.

use checkout_core::pair::PAIRS;
use serde_json::{Value, json};

use super::chain::{Block, Chain, Log, Transaction, hash};

pub type Answer = Result<Value, (i64, &'static str)>;

const INVALID: (i64, &str) = (-32602, "invalid argument");

const GWEI: u64 = 1_000_000_000;

pub fn answer(chain: &mut Chain, method: &str, params: &Value) -> Answer {
    match method {
        "eth_chainId" => Ok(json!(format!("{:#x}", chain.chain_id))),
        "eth_syncing" => Ok(json!(false)),
        "eth_getBlockByNumber" => {
            let number = match params[0].as_str().ok_or(INVALID)? {
                "latest" | "pending" => chain.head().number,
                number => read(number)?,
            };
            let block = usize::try_from(number).ok().and_then(|number| chain.blocks.get(number));
            Ok(block.map_or(Value::Null, |block| shown(chain, block, params[1] == json!(true))))
        }
        "eth_getLogs" => logs(chain, &params[0]),
        "eth_getTransactionReceipt" => Ok(receipt(chain, params[0].as_str().ok_or(INVALID)?)),
        "eth_getTransactionByHash" => {
            let asked = params[0].as_str().ok_or(INVALID)?;
            let waits = chain.pending.iter().any(|transaction| transaction.hash == asked);
            Ok(match place(chain, asked) {
                Some((block, _, _)) => json!({"blockHash": block.hash}),
                None if waits => json!({"blockHash": null}),
                None => Value::Null,
            })
        }
        "debug_traceBlockByHash" => {
            let block = of_hash(chain, params[0].as_str().ok_or(INVALID)?)?;
            let traced = |transaction: &Transaction| {
                json!({"txHash": transaction.hash, "result": {
                    "type": "CALL", "from": from_of(transaction), "to": transaction.to,
                    "value": format!("{:#x}", transaction.wei)
                }})
            };
            Ok(block.transactions.iter().map(traced).collect())
        }
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
            chain.pending.push(Transaction { hash: hash.clone(), from, to, wei: 0, logs: Vec::new() });
            Ok(json!(hash))
        }
        _ => Err((-32601, "the method does not exist/is not available")),
    }
}

fn read(number: &str) -> Result<u64, (i64, &'static str)> {
    u64::from_str_radix(number.trim_start_matches("0x"), 16).map_err(|_| INVALID)
}

fn of_hash<'a>(chain: &'a Chain, hash: &str) -> Result<&'a Block, (i64, &'static str)> {
    // Only the newest blocks are asked for.
    let block = chain.blocks.iter().rev().take(512).find(|block| block.hash == hash);
    block.ok_or((-32000, "unknown block"))
}

fn from_of(transaction: &Transaction) -> String {
    // The account of the payouts, whose signature is not read.
    if transaction.from.is_empty() { format!("0x{:040}", 0) } else { transaction.from.clone() }
}

fn shown(chain: &Chain, block: &Block, is_full: bool) -> Value {
    let parent =
        block.number.checked_sub(1).and_then(|number| chain.blocks.get(usize::try_from(number).ok()?));
    let transaction = |transaction: &Transaction| {
        if !is_full {
            return json!(transaction.hash);
        }
        json!({
            "hash": transaction.hash, "from": from_of(transaction), "to": transaction.to,
            "value": format!("{:#x}", transaction.wei), "blockHash": block.hash
        })
    };
    json!({
        "hash": block.hash, "parentHash": parent.map_or_else(|| hash(b"none"), |parent| parent.hash.clone()),
        "number": format!("{:#x}", block.number), "timestamp": format!("{:#x}", block.time),
        "baseFeePerGas": format!("{GWEI:#x}"), "logsBloom": block.bloom(),
        "transactions": block.transactions.iter().map(transaction).collect::<Vec<_>>()
    })
}

fn log(block: &Block, transaction: &Transaction, index: usize, log: &Log) -> Value {
    json!({
        "address": log.address, "topics": log.topics, "data": log.data, "blockHash": block.hash,
        "transactionHash": transaction.hash, "logIndex": format!("{index:#x}"), "removed": false
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
    let block = of_hash(chain, filter["blockHash"].as_str().ok_or(INVALID)?)?;
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

fn receipt(chain: &Chain, asked: &str) -> Value {
    let Some((block, _, transaction)) = place(chain, asked).filter(|_| !chain.lacks_receipts) else {
        return Value::Null;
    };
    let logs: Vec<Value> = all_logs(block)
        .into_iter()
        .enumerate()
        .filter(|(_, (of, _))| of.hash == transaction.hash)
        .map(|(index, (_, found))| log(block, transaction, index, found))
        .collect();
    json!({
        "transactionHash": asked, "blockHash": block.hash, "blockNumber": format!("{:#x}", block.number),
        "from": from_of(transaction), "status": "0x1", "gasUsed": "0x5208", "effectiveGasPrice": format!("{GWEI:#x}"),
        "logs": logs
    })
}
