//! Answers, shaped as in <https://developers.tron.network/reference> and
//! <https://tronprotocol.github.io/documentation-en/api/http/>.

use serde_json::{Value, json};

use super::blob::{Submitted, read_transfer};
use super::chain::{BYTE_PRICE, Block, Chain, ENERGY, ENERGY_PRICE, Executed, INTERVAL};

/// `None` for a method that there is not.
pub fn answer(chain: &mut Chain, of: &str, method: &str, params: &Value) -> Option<Value> {
    let is_solid = match of {
        "wallet" => false,
        "walletsolidity" => true,
        _ => return None,
    };
    let text = |name: &str| params[name].as_str().unwrap_or_default().to_owned();
    Some(match method {
        "getnowblock" => block(Some(newest(chain, is_solid)), true),
        "getblock" => {
            let detail = params["detail"].as_bool().unwrap_or(false) || params["detail"] == "true";
            if text("id_or_num") == "0" {
                return Some(genesis(chain));
            }
            block(by_text(chain, &text("id_or_num"), is_solid), detail)
        }
        "getblockbynum" if params["num"] == 0 => genesis(chain),
        "getblockbynum" => block(by_number(chain, number(&params["num"]), is_solid), true),
        "getblockbylimitnext" => {
            let (first, end) = (number(&params["startNum"]), number(&params["endNum"]));
            if first >= end || end - first > 100 {
                return Some(json!({}));
            }
            let end = if is_behind(chain) { first } else { end };
            let most = chain.hostile.page("getblockbylimitnext", 100);
            let end = end.min(first + u64::try_from(most).unwrap_or(100));
            let found: Vec<Value> = (first..end)
                .map_while(|number| by_number(chain, number, is_solid))
                .map(|found| block(Some(found), true))
                .collect();
            if found.is_empty() { json!({}) } else { json!({"block": found}) }
        }
        "gettransactioninfobyblocknum" => by_number(chain, number(&params["num"]), is_solid).map_or_else(
            || json!([]),
            |block| block.transactions.iter().map(|found| info(chain, found)).collect(),
        ),
        "gettransactioninfobyid" => {
            chain.find(&text("value"), is_solid).map_or_else(|| json!({}), |found| found.info.clone())
        }
        "gettransactionbyid" => {
            chain.find(&text("value"), is_solid).map_or_else(|| json!({}), |found| found.json.clone())
        }
        "gettransactionfrompending" => chain
            .pending
            .iter()
            .find(|pending| pending.id == text("value"))
            .map_or_else(|| json!({}), |pending| pending.json.clone()),
        "getaccount" => account(chain, &text("address")),
        "getaccountresource" => {
            let energy = chain.accounts.get(&text("address")).map_or(0, |account| account.energy);
            json!({"freeNetLimit": 600, "freeNetUsed": 600, "EnergyLimit": energy, "TotalEnergyLimit": 180_000_000_000_u64})
        }
        "getchainparameters" => json!({"chainParameter": [
            {"key": "getMaintenanceTimeInterval", "value": 21_600_000},
            {"key": "getTransactionFee", "value": BYTE_PRICE},
            {"key": "getEnergyFee", "value": ENERGY_PRICE},
            {"key": "getAllowMultiSign"}
        ]}),
        "triggerconstantcontract" => constant(chain, params),
        "broadcasthex" => {
            let blob = hex::decode(text("transaction")).ok();
            let shown = blob.as_deref().and_then(super::blob::read).map(|read| read.json.to_string());
            let mut answer = broadcast(chain.submit(&blob.unwrap_or_default()), &text("transaction"));
            answer["transaction"] = shown.into();
            answer
        }
        "broadcasttransaction" => {
            let raw = hex::decode(text("raw_data_hex")).unwrap_or_default();
            let signature =
                params["signature"][0].as_str().and_then(|text| hex::decode(text).ok()).unwrap_or_default();
            broadcast(chain.submit(&envelope(&raw, &signature)), "")
        }
        _ => return None,
    })
}

/// Elsewhere: of another block with this number, in which the contract ran out of energy.
fn info(chain: &Chain, found: &Executed) -> Value {
    let mut info = found.info.clone();
    if chain.hostile.is_elsewhere("gettransactioninfobyblocknum") {
        let millis = info["blockTimeStamp"].as_u64().unwrap_or(0);
        info["blockTimeStamp"] = (millis + INTERVAL).into();
        info["receipt"]["result"] = "OUT_OF_ENERGY".into();
        info["result"] = "FAILED".into();
        info.as_object_mut().and_then(|fields| fields.remove("log"));
    }
    info
}

fn number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(0)
}

fn is_behind(chain: &mut Chain) -> bool {
    let Some(left) = chain.empty_after.as_mut() else { return false };
    let is_behind = *left == 0;
    *left = left.saturating_sub(1);
    is_behind
}

fn newest(chain: &Chain, is_solid: bool) -> &Block {
    if is_solid { chain.solid_head() } else { chain.head() }
}

fn by_number(chain: &Chain, number: u64, is_solid: bool) -> Option<&Block> {
    let newest = newest(chain, is_solid).number;
    chain.blocks.iter().find(|block| block.number == number && number <= newest)
}

fn by_text<'a>(chain: &'a Chain, text: &str, is_solid: bool) -> Option<&'a Block> {
    match text.parse() {
        Ok(number) => by_number(chain, number, is_solid),
        Err(_) if text.is_empty() => Some(newest(chain, is_solid)),
        Err(_) => chain.blocks.iter().find(|block| block.id == text),
    }
}

fn genesis(chain: &Chain) -> Value {
    let parent = "e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f";
    json!({"blockID": chain.genesis, "block_header": {"raw_data": {"txTrieRoot": "0".repeat(64), "parentHash": parent}}})
}

fn block(found: Option<&Block>, detail: bool) -> Value {
    let Some(found) = found else { return json!({}) };
    let mut answer = json!({"blockID": found.id, "block_header": {
        "raw_data": {
            "number": found.number, "txTrieRoot": if found.transactions.is_empty() { "0" } else { "7" }.repeat(64), "parentHash": found.parent, "version": 34,
            "witness_address": "41b2f713d57dbcec679d93a8849fa0cd0e4db594ba", "timestamp": found.millis
        },
        "witness_signature": "5b3cf6cb"
    }});
    if detail && !found.transactions.is_empty() {
        answer["transactions"] = found.transactions.iter().map(|executed| executed.json.clone()).collect();
    }
    answer
}

fn account(chain: &Chain, address: &str) -> Value {
    let Some(account) = chain.accounts.get(address) else { return json!({}) };
    let mut answer = json!({"address": address, "create_time": 1_700_000_000_000_u64});
    if account.balance > 0 {
        answer["balance"] = account.balance.into();
    }
    // `AccountType` of java-tron's core/Tron.proto; `Normal` is the default, which JSON leaves out.
    if account.is_contract {
        answer["type"] = "Contract".into();
    }
    answer
}

fn constant(chain: &Chain, params: &Value) -> Value {
    let text = |name: &str| params[name].as_str().unwrap_or_default();
    let (owner, contract) = (text("owner_address"), text("contract_address"));
    let Some(decimals) = chain.tokens.get(contract) else {
        let message = hex::encode(b"No contract or not a smart contract");
        return json!({"result": {"code": "CONTRACT_VALIDATE_ERROR", "message": message}});
    };
    let parameter = hex::decode(text("parameter")).unwrap_or_default();
    let result = match text("function_selector") {
        "decimals()" => u128::from(*decimals),
        "balanceOf(address)" => {
            let account = parameter
                .get(12..32)
                .map(|account| format!("41{}", hex::encode(account)))
                .unwrap_or_default();
            chain.token(&account, contract)
        }
        "transfer(address,uint256)" => {
            let transfer = read_transfer(&[&[0xa9, 0x05, 0x9c, 0xbb], &parameter[..]].concat());
            if chain.outcome(owner, contract, transfer.as_ref()) != "SUCCESS" {
                return json!({
                    "result": {"result": true, "message": hex::encode(b"REVERT opcode executed")}, "energy_used": 800,
                    "constant_result": [""], "transaction": {"ret": [{"ret": "FAILED"}], "visible": false}
                });
            }
            return json!({
                "result": {"result": true}, "energy_used": ENERGY, "constant_result": [format!("{:064x}", 1)],
                "transaction": {"ret": [{}], "visible": false}
            });
        }
        _ => 0,
    };
    json!({
        "result": {"result": true}, "energy_used": 935, "constant_result": [format!("{result:064x}")],
        "transaction": {"ret": [{}], "visible": false}
    })
}

fn broadcast(outcome: Result<Submitted, (&str, &str)>, transaction: &str) -> Value {
    match outcome {
        Ok(submitted) => json!({"result": true, "txid": submitted.id}),
        Err((code, message)) => {
            json!({"code": code, "message": hex::encode(message.as_bytes()), "transaction": transaction})
        }
    }
}

/// The message that holds both.
fn envelope(raw: &[u8], signature: &[u8]) -> Vec<u8> {
    let field = |number: u8, content: &[u8]| {
        let (mut bytes, mut length) = (vec![number << 3 | 2], content.len());
        while length > 0x7f {
            bytes.push(0x80 | u8::try_from(length & 0x7f).expect("seven bits"));
            length >>= 7;
        }
        bytes.push(u8::try_from(length).expect("seven bits"));
        [bytes, content.to_vec()].concat()
    };
    [field(1, raw), field(2, signature)].concat()
}
