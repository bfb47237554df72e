//! Answers of rippled 2.x, version 1 of its interface, shaped as in <https://xrpl.org/docs/references/http-websocket-apis>.

use serde_json::{Map, Value, json};

use super::blob;
use super::ledger::{Entry, LaterPages, Ledger};
use crate::merge;

pub type Answer = Result<Value, (&'static str, &'static str)>;

const INVALID: (&str, &str) = ("invalidParams", "Invalid parameters.");

pub fn answer(ledger: &mut Ledger, method: &str, params: &Value) -> Answer {
    match method {
        "server_info" => Ok(server_info(ledger)),
        "account_info" => account_info(ledger, params),
        "account_tx" => account_tx(ledger, params),
        "fee" => Ok(fee(ledger)),
        "ledger" => one_ledger(ledger, params),
        "submit" => submit(ledger, params),
        "tx" => transaction(ledger, params),
        _ => Err(("unknownCmd", "Unknown method.")),
    }
}

fn complete(ledger: &Ledger) -> String {
    match ledger.missing {
        Some(hole) => format!("{}-{},{}-{}", ledger.first, hole - 1, hole + 1, ledger.last),
        None => format!("{}-{}", ledger.first, ledger.last),
    }
}

fn server_info(ledger: &Ledger) -> Value {
    json!({"info": {
        "build_version": "2.6.0", "complete_ledgers": complete(ledger), "hostid": "DOUBLE", "initial_sync_duration_us": "273518294",
        "io_latency_ms": 1, "jq_trans_overflow": "0", "last_close": {"converge_time_s": 2.002, "proposers": 34},
        "load_factor": 1, "network_id": ledger.network + u32::from(ledger.hostile.is_elsewhere("server_info")), "peers": 84, "server_state": ledger.state,
        "server_state_duration_us": "1", "time": "2026-Nov-22 04:00:00.000000 UTC", "uptime": 1_234,
        "validated_ledger": {
            "age": ledger.age, "base_fee_xrp": 1e-05, "hash": Ledger::hash_of(ledger.last), "reserve_base_xrp": 1,
            "reserve_inc_xrp": 0.2, "seq": ledger.last
        },
        "validation_quorum": 28
    }})
}

fn account_info(ledger: &Ledger, params: &Value) -> Answer {
    let address = params["account"].as_str().ok_or(INVALID)?;
    let account = ledger.accounts.get(address).ok_or(("actNotFound", "Account not found."))?;
    let at = match params["ledger_hash"].as_str() {
        None => ledger.last,
        Some(hash) => (ledger.first..=ledger.last)
            .rev()
            .take(256)
            .find(|index| Ledger::hash_of(*index) == hash)
            .ok_or(("lgrNotFound", "ledgerNotFound"))?,
    };
    let last = ledger.last_of(address, at);
    Ok(json!({
        "account_data": {
            "Account": address, "Balance": account.drops.to_string(), "Flags": account.flags,
            "LedgerEntryType": "AccountRoot", "OwnerCount": account.objects,
            "PreviousTxnID": last.map_or_else(|| Ledger::hash_of(1), |last| last.hash.clone()),
            "PreviousTxnLgrSeq": last.map_or(ledger.first, |last| last.ledger), "Sequence": account.sequence,
            "index": hex::encode_upper(blob::half(address.as_bytes()))
        },
        "account_flags": {}, "ledger_hash": Ledger::hash_of(at), "ledger_index": at, "validated": true
    }))
}

fn shown(entry: &Entry) -> Map<String, Value> {
    let mut tx = entry.tx.clone();
    tx.insert("hash".to_owned(), json!(entry.hash));
    tx.insert("ledger_index".to_owned(), json!(entry.ledger));
    tx.insert("inLedger".to_owned(), json!(entry.ledger));
    tx.insert("date".to_owned(), json!(Ledger::close_time(entry.ledger)));
    if let Some(amount) = tx.get("Amount").cloned() {
        tx.insert("DeliverMax".to_owned(), amount);
    }
    tx
}

fn index_of(entry: &Entry) -> u64 {
    entry.meta["TransactionIndex"].as_u64().unwrap_or(0)
}

fn account_tx(ledger: &Ledger, params: &Value) -> Answer {
    let account = params["account"].as_str().ok_or(INVALID)?;
    let is_later = params["marker"].is_object();
    if is_later && ledger.later_pages == LaterPages::Refused {
        return Err(INVALID);
    }
    let bound = |name: &str, available: u32| match params[name].as_i64() {
        None | Some(-1) => Ok(available),
        Some(asked) => u32::try_from(asked).map_err(|_| INVALID),
    };
    let first = bound("ledger_index_min", ledger.first)?.max(ledger.first);
    let lag = u32::from(is_later && ledger.later_pages == LaterPages::Lag);
    let last = bound("ledger_index_max", ledger.last)?.min(ledger.last - lag);
    if first > last {
        return Err(("lgrIdxsInvalid", "Ledger indexes invalid."));
    }
    let limit = params["limit"]
        .as_u64()
        .and_then(|limit| usize::try_from(limit).ok())
        .unwrap_or(200)
        .min(ledger.page);
    let limit = ledger.hostile.page("account_tx", limit);
    let after =
        params["marker"].as_object().map(|marker| (marker["ledger"].as_u64(), marker["seq"].as_u64()));
    let mut entries: Vec<&Entry> = ledger.validated.iter().collect();
    if params["forward"] != json!(true) {
        entries.reverse();
    }
    let other = ledger.hostile.is_elsewhere("account_tx").then(|| elsewhere(&entries, last)).flatten();
    if let Some(other) = &other {
        entries = vec![other];
    }
    let mut found =
        entries.into_iter().filter(|entry| (first..=last).contains(&entry.ledger) && entry.is_of(account));
    if let Some((at, seq)) = after {
        found.find(|entry| (Some(u64::from(entry.ledger)), Some(index_of(entry))) == (at, seq));
    }
    let mut page = Vec::new();
    for entry in found.by_ref().take(limit) {
        page.push(entry);
    }
    let transactions: Vec<Value> =
        page.iter().map(|entry| json!({"meta": entry.meta, "tx": shown(entry), "validated": true})).collect();
    let mut answer = json!({
        "account": account, "ledger_index_min": first, "ledger_index_max": last, "limit": limit,
        "transactions": transactions, "validated": true
    });
    if let (Some(last), true) = (page.last(), found.next().is_some()) {
        answer["marker"] = json!({"ledger": last.ledger, "seq": index_of(last)});
    }
    Ok(answer)
}

/// A payment on another network to the same account, in the last ledger.
fn elsewhere(entries: &[&Entry], ledger: u32) -> Option<Entry> {
    let mut other = Entry { ledger, ..Entry::clone(entries.first()?) };
    other.tx.insert("Sequence".to_owned(), json!(77_777));
    other.hash = blob::hash(&blob::write(&other.tx));
    other.tx.insert("hash".to_owned(), json!(other.hash));
    Some(other)
}

fn fee(ledger: &Ledger) -> Value {
    let drops = ledger.fee.to_string();
    json!({
        "current_ledger_size": "14", "current_queue_size": "0",
        "drops": {"base_fee": "10", "median_fee": "11000", "minimum_fee": "10", "open_ledger_fee": drops},
        "expected_ledger_size": "24", "ledger_current_index": ledger.last + 1,
        "levels": {"median_level": "281600", "minimum_level": "256", "open_ledger_level": "256", "reference_level": "256"},
        "max_queue_size": "480"
    })
}

fn one_ledger(ledger: &Ledger, params: &Value) -> Answer {
    let index = match &params["ledger_index"] {
        Value::Number(number) => {
            number.as_u64().and_then(|number| u32::try_from(number).ok()).ok_or(INVALID)?
        }
        Value::String(word) if word == "current" => {
            return Ok(json!({"ledger": {"closed": false, "ledger_index": (ledger.last + 1).to_string()},
                "ledger_current_index": ledger.last + 1, "validated": false}));
        }
        _ => ledger.last,
    };
    if !(ledger.first..=ledger.last).contains(&index) {
        return Err(("lgrNotFound", "ledgerNotFound"));
    }
    let hash = Ledger::hash_of(index);
    Ok(json!({
        "ledger": {
            "account_hash": Ledger::hash_of(2), "close_flags": 0, "close_time": Ledger::close_time(index),
            "close_time_resolution": 10, "closed": true, "ledger_hash": hash, "ledger_index": index.to_string(),
            "parent_hash": Ledger::hash_of(index - 1), "total_coins": "99987512345678901",
            "transaction_hash": Ledger::hash_of(3)
        },
        "ledger_hash": hash, "ledger_index": index, "validated": true
    }))
}

fn submit(ledger: &mut Ledger, params: &Value) -> Answer {
    let text = params["tx_blob"].as_str().ok_or(INVALID)?;
    let (tx, hash) = hex::decode(text)
        .ok()
        .and_then(|blob| blob::read(&blob))
        .ok_or(("invalidTransaction", "fails local checks"))?;
    let is_known = ledger.open.iter().any(|(_, known)| *known == hash);
    let result = ledger.opinion(&tx);
    let is_kept = result.starts_with("tes") || result.starts_with("ter") || result.starts_with("tec");
    let mut shown = Value::Object(tx.clone());
    merge(&mut shown, json!({"hash": hash}));
    if is_kept && !is_known && !ledger.forgets {
        ledger.open.push((tx, hash));
    } else if !is_known {
        ledger.cached.push((tx, hash));
    }
    Ok(json!({
        "accepted": is_kept, "applied": result == "tesSUCCESS", "broadcast": is_kept, "engine_result": result,
        "engine_result_code": 0, "engine_result_message": "The transaction was applied. Only final in a validated ledger.",
        "kept": is_kept, "open_ledger_cost": ledger.fee.to_string(), "queued": false, "tx_blob": text, "tx_json": shown,
        "validated_ledger_index": ledger.last
    }))
}

fn transaction(ledger: &Ledger, params: &Value) -> Answer {
    let hash = params["transaction"].as_str().ok_or(INVALID)?;
    let found = ledger.validated.iter().find(|entry| entry.hash == hash && entry.ledger >= ledger.first);
    if let Some(entry) = found.filter(|entry| entry.ledger <= ledger.last) {
        if params["binary"] == true && !ledger.json_alone {
            // The gateway does not read the metadata of this form.
            let blob = hex::encode_upper(blob::write(&entry.tx));
            let ctid = format!("C{:07X}{:04X}{:04X}", entry.ledger, index_of(entry), ledger.network);
            return Ok(
                json!({"tx": blob, "ctid": ctid, "hash": entry.hash, "meta": "", "date": Ledger::close_time(entry.ledger),
                "ledger_index": entry.ledger, "inLedger": entry.ledger, "validated": true}),
            );
        }
        let mut answer = Value::Object(shown(entry));
        merge(&mut answer, json!({"meta": entry.meta, "validated": true}));
        return Ok(answer);
    }
    if let Some((tx, _)) = ledger.open.iter().chain(&ledger.cached).find(|(_, known)| known == hash) {
        let mut answer = Value::Object(tx.clone());
        merge(&mut answer, json!({"hash": hash, "validated": false}));
        return Ok(answer);
    }
    Err(("txnNotFound", "Transaction not found."))
}

/// Returns whether the server has every ledger of the searched range. rippled counts the ledgers that have transactions
/// (`COUNT(DISTINCT LedgerSeq)`), so an empty one makes it false.
pub fn searched_all(ledger: &Ledger, params: &Value) -> Option<bool> {
    let (first, last) = (params["min_ledger"].as_u64()?, params["max_ledger"].as_u64()?);
    let has_all = first >= ledger.first.into() && last <= ledger.last.into();
    let is_empty = |index: u64| ledger.validated.iter().all(|entry| u64::from(entry.ledger) != index);
    if ledger.quiet && (first..=last).any(is_empty) {
        return Some(false);
    }
    Some(has_all && !ledger.missing.is_some_and(|hole| (first..=last).contains(&hole.into())))
}
