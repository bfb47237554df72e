//! Answers of Horizon 23, shaped as in <https://developers.stellar.org/docs/data/apis/horizon/api-reference>.

use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use stellar_xdr::{Limits, ReadXdr as _, TransactionEnvelope};

use super::ledger::{Closed, Ledger, Operation, RESERVE, signed, timestamp};
use crate::merge;

pub type Answer = (StatusCode, Value);

fn ok(value: Value) -> Answer {
    (StatusCode::OK, value)
}

pub fn problem(status: StatusCode, kind: &str, title: &str) -> Answer {
    let kind = format!("https://stellar.org/horizon-errors/{kind}");
    (status, json!({"type": kind, "title": title, "status": status.as_u16(), "detail": title}))
}

pub fn not_found() -> Answer {
    problem(StatusCode::NOT_FOUND, "not_found", "Resource Missing")
}

pub fn root(ledger: &Ledger) -> Answer {
    ok(json!({
        "_links": {}, "horizon_version": "23.0.0", "core_version": "stellar-core 23.0.1", "ingest_latest_ledger": ledger.last,
        "history_latest_ledger": ledger.last, "history_latest_ledger_closed_at": timestamp(ledger.last),
        "history_elder_ledger": ledger.first, "core_latest_ledger": ledger.last + ledger.behind,
        "network_passphrase": if ledger.hostile.is_elsewhere("root") { "Test SDF Network ; September 2015" } else { &ledger.passphrase }, "current_protocol_version": 23, "supported_protocol_version": 23,
        "core_supported_protocol_version": 23
    }))
}

fn page(records: &[Value]) -> Answer {
    ok(
        json!({"_links": {"self": {"href": ""}, "next": {"href": ""}, "prev": {"href": ""}}, "_embedded": {"records": records}}),
    )
}

pub fn account(ledger: &Ledger, id: &str) -> Answer {
    let Some(account) = ledger.accounts.get(id) else { return not_found() };
    let balance = format!("{}.{:07}", account.stroops / 10_000_000, account.stroops % 10_000_000);
    ok(json!({
        "_links": {}, "id": id, "account_id": id, "sequence": account.sequence.to_string(),
        "sequence_ledger": ledger.last, "sequence_time": "1", "subentry_count": account.entries,
        "last_modified_ledger": ledger.last, "last_modified_time": timestamp(ledger.last),
        "thresholds": {"low_threshold": 0, "med_threshold": 0, "high_threshold": 0},
        "flags": {"auth_required": false, "auth_revocable": false, "auth_immutable": false, "auth_clawback_enabled": false},
        "balances": [{"balance": balance, "buying_liabilities": "0.0000000", "selling_liabilities": "0.0000000", "asset_type": "native"}],
        "signers": [{"weight": 1, "key": id, "type": "ed25519_public_key"}], "data": account.data,
        "num_sponsoring": 0, "num_sponsored": 0, "paging_token": id
    }))
}

pub fn payments(ledger: &Ledger, account: &str, query: &[(String, String)]) -> Answer {
    let value = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let cursor: u64 = value("cursor").and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
    let limit = value("limit").and_then(|limit| limit.parse().ok()).unwrap_or(10_usize).min(200);
    let limit = ledger.hostile.page("payments", limit);
    if cursor != 0 && cursor >> 32 < u64::from(ledger.first.saturating_sub(1)) {
        return problem(StatusCode::GONE, "before_history", "Data Requested Is Before Recorded History");
    }
    let mut found: Vec<_> = ledger
        .operations
        .iter()
        .filter(|operation| operation.accounts.iter().any(|name| name == account))
        .filter(|operation| operation.ledger <= ledger.last)
        .filter(|operation| {
            value("include_failed") == Some("true")
                || operation.fields["transaction_successful"] == json!(true)
        })
        .collect();
    let is_falling = value("order") == Some("desc");
    if is_falling {
        found.reverse();
    }
    found.retain(|operation| {
        cursor == 0 || if is_falling { operation.id < cursor } else { operation.id > cursor }
    });
    listed(ledger, found.into_iter().take(limit), value("join"))
}

/// Of a transaction: `GET /transactions/{transaction_hash}/operations`.
pub fn operations(ledger: &Ledger, hash: &str, query: &[(String, String)]) -> Answer {
    let value = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let limit = value("limit").and_then(|limit| limit.parse().ok()).unwrap_or(10_usize).min(200);
    let Some((known, _)) = by_hash(ledger, hash) else { return not_found() };
    let after = value("cursor").and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
    let found = ledger.operations.iter().filter(|operation| operation.hash == *known && operation.id > after);
    listed(ledger, found.filter(|operation| operation.ledger <= ledger.last).take(limit), value("join"))
}

fn listed<'a>(ledger: &Ledger, found: impl Iterator<Item = &'a Operation>, join: Option<&str>) -> Answer {
    let records = found.map(|operation| {
        let mut fields = operation.fields.clone();
        if join == Some("transactions")
            && let Some(transaction) = ledger.transactions.get(&operation.hash)
        {
            fields["transaction"] = transaction.fields.clone();
        }
        fields
    });
    page(&records.collect::<Vec<_>>())
}

/// Their paging tokens are the operation's id and a number.
pub fn effects(ledger: &Ledger, operation: &str, query: &[(String, String)]) -> Answer {
    let value = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let limit = value("limit").and_then(|limit| limit.parse().ok()).unwrap_or(10_usize).min(200);
    let limit = ledger.hostile.page("effects", limit);
    let after = value("cursor").and_then(|cursor| cursor.split_once('-')?.1.parse().ok()).unwrap_or(0_usize);
    let Some(found) = ledger.operations.iter().find(|known| known.id.to_string() == operation) else {
        return not_found();
    };
    let shown = |(number, effect): (usize, &Value)| {
        let mut effect = effect.clone();
        merge(&mut effect, json!({"paging_token": format!("{operation}-{number}")}));
        effect
    };
    page(&(1..).zip(&found.effects).skip(after).take(limit).map(shown).collect::<Vec<_>>())
}

/// The first ledger that Horizon has, or the last one.
pub fn ledgers(ledger: &Ledger, query: &[(String, String)]) -> Answer {
    let is_falling = query.iter().any(|(key, value)| key == "order" && value == "desc");
    page(&[shown(if is_falling { ledger.last } else { ledger.first })])
}

pub fn one_ledger(ledger: &Ledger, sequence: u32) -> Answer {
    if (ledger.first..=ledger.last).contains(&sequence) { ok(shown(sequence)) } else { not_found() }
}

fn shown(number: u32) -> Value {
    let hash = hex::encode(Sha256::digest(number.to_be_bytes()));
    json!({
        "id": hash, "paging_token": (u64::from(number) << 32).to_string(), "hash": hash, "sequence": number,
        "successful_transaction_count": 1, "failed_transaction_count": 0, "operation_count": 1,
        "closed_at": timestamp(number), "total_coins": "105443902087.3472865", "fee_pool": "3145678.0185438",
        "base_fee_in_stroops": 100, "base_reserve_in_stroops": RESERVE, "max_tx_set_size": 1000, "protocol_version": 23
    })
}

/// Of an account, the failed ones only where they are asked for.
pub fn transactions(ledger: &Ledger, account: &str, query: &[(String, String)]) -> Answer {
    let value = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let cursor: Option<u64> = value("cursor").and_then(|cursor| cursor.parse().ok());
    let limit = value("limit").and_then(|limit| limit.parse().ok()).unwrap_or(10_usize).min(200);
    let limit = ledger.hostile.page("transactions", limit);
    let token = |fields: &Value| {
        fields["paging_token"].as_str().and_then(|token| token.parse().ok()).unwrap_or(0_u64)
    };
    let is_falling = value("order") == Some("desc");
    let has = ledger.first..=ledger.last;
    let mut found: Vec<Value> = ledger
        .transactions
        .values()
        .filter(|closed| has.contains(&closed.ledger) && closed.fields["source_account"] == account)
        .filter(|closed| closed.successful || value("include_failed") == Some("true"))
        .map(|closed| {
            let mut fields = closed.fields.clone();
            merge(&mut fields, json!({"successful": closed.successful, "ledger": closed.ledger}));
            fields
        })
        .filter(|fields| {
            cursor.is_none_or(|at| if is_falling { token(fields) < at } else { token(fields) > at })
        })
        .collect();
    found.sort_by_key(token);
    if is_falling {
        found.reverse();
    }
    found.truncate(limit);
    page(&found)
}

pub fn fee_stats(ledger: &Ledger) -> Answer {
    let fee = ledger.fee.to_string();
    let all = json!({"max": fee, "min": "100", "mode": "100", "p10": "100", "p50": "100", "p90": fee, "p95": fee, "p99": fee});
    ok(json!({
        "last_ledger": ledger.last.to_string(), "last_ledger_base_fee": "100", "ledger_capacity_usage": "0.97",
        "fee_charged": all, "max_fee": all
    }))
}

pub fn transaction(ledger: &Ledger, hash: &str) -> Answer {
    let has = ledger.first..=ledger.last;
    let found = by_hash(ledger, hash).filter(|(_, found)| has.contains(&found.ledger));
    found.map_or_else(not_found, |(_, found)| {
        let mut fields = found.fields.clone();
        merge(
            &mut fields,
            json!({"hash": hash, "id": hash, "successful": found.successful, "ledger": found.ledger}),
        );
        ok(fields)
    })
}

/// A fee-bump transaction is found by its own hash and by that of the transaction that it carries; its operations have its own
/// (`TransactionByHash` and `PopulateTransaction` of Horizon).
fn by_hash<'a>(ledger: &'a Ledger, hash: &str) -> Option<(&'a String, &'a Closed)> {
    let is_inner = |closed: &Closed| closed.fields["inner_transaction"]["hash"] == hash;
    ledger.transactions.iter().find(|(known, closed)| *known == hash || is_inner(closed))
}

/// `POST /transactions_async`
pub fn submit(ledger: &mut Ledger, tx: Option<&str>) -> Answer {
    let bytes = tx.and_then(|tx| STANDARD.decode(tx).ok());
    let envelope = bytes.and_then(|bytes| TransactionEnvelope::from_xdr(bytes, Limits::none()).ok());
    let Some(envelope) = envelope else {
        return problem(StatusCode::BAD_REQUEST, "transaction_malformed", "Transaction Malformed");
    };
    let Some((transaction, hash)) = signed(&envelope, ledger.network_id()) else {
        return (
            StatusCode::BAD_REQUEST,
            json!({"tx_status": "ERROR", "hash": "", "error_result_xdr": "AAAAAAAAAGT////6AAAAAA=="}),
        );
    };
    let status = |code: StatusCode, status: &str| (code, json!({"tx_status": status, "hash": hash}));
    if ledger.open.iter().any(|(_, open)| *open == hash) {
        return status(StatusCode::CONFLICT, "DUPLICATE");
    }
    let source = transaction.source_account.clone();
    if ledger.open.iter().any(|(open, _)| open.source_account == source) {
        return status(StatusCode::SERVICE_UNAVAILABLE, "TRY_AGAIN_LATER");
    }
    if ledger.opinion(&transaction) != "txSUCCESS" {
        return status(StatusCode::BAD_REQUEST, "ERROR");
    }
    let answer = status(StatusCode::CREATED, "PENDING");
    if !ledger.forgets {
        ledger.open.push((transaction, hash));
    }
    answer
}
