//! Prints signed transactions with their fields, one JSON object a line, for `chains/oracles`.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example for tests")]

use alloy_primitives::{Address, U256, hex, keccak256};
use checkout_chain_tron::answers::Block;
use checkout_chain_tron::transaction::{Action, Window};
use checkout_chain_tron::{Key, account, tokens};
use serde_json::json;

fn main() {
    for number in 0_u64..400 {
        let random = keccak256(number.to_be_bytes());
        let word = |at: usize| u64::from_be_bytes(random[at..at + 8].try_into().unwrap());
        let secret = keccak256(random);
        let key = Key::from_secret(secret.as_slice()).unwrap();
        let id = format!("{:016x}{}", word(0) >> 40, hex::encode(&keccak256(secret)[8..]));
        let header = json!({"raw_data": {"number": word(0) >> 40, "timestamp": 1_700_000_000_000_u64}});
        let block: Block = serde_json::from_value(json!({"blockID": id, "block_header": header})).unwrap();
        let window = Window { timestamp: word(8) >> 22, expiration: word(16) >> 22 };
        let to = Address::from_slice(&random[12..]);
        let amount = word(24) >> (number % 60);
        let contract = account::read("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t").unwrap();
        let fee_limit = 1 + word(4) % 50_000_000;
        let data = tokens::transfer_data(to, U256::from(amount));
        let action = if number % 4 == 0 {
            Action::Transfer { to, amount: 1 + (amount >> 12) }
        } else {
            Action::Call { contract, data: data.clone(), fee_limit }
        };
        let (kind, value) = match &action {
            Action::Transfer { to, amount } => (
                "TransferContract",
                json!({"to_address": account::to_hex(*to), "amount": amount.to_string()}),
            ),
            Action::Call { .. } => (
                "TriggerSmartContract",
                json!({
                    "contract_address": account::to_hex(contract), "data": hex::encode(&data),
                    "to": account::to_text(to), "amount": amount.to_string(), "fee_limit": fee_limit
                }),
            ),
        };
        let signed = action.sign(&key, &block, window);
        let line = json!({
            "chain": "TRX", "secret": hex::encode(secret), "account": account::to_text(key.account()), "kind": kind,
            "value": value, "blockNumber": block.number(), "blockId": id, "timestamp": window.timestamp,
            "expiration": window.expiration, "id": hex::encode(signed.id), "bytes": hex::encode(signed.bytes)
        });
        println!("{line}");
    }
}
