//! The parts of Horizon's answers that are read.

use std::collections::BTreeMap;
use std::time::UNIX_EPOCH;

use checkout_core::Amount;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::DECIMALS;

#[derive(Deserialize)]
pub struct Root {
    pub network_passphrase: String,
    /// The last and the first ledger that Horizon has.
    pub history_latest_ledger: u32,
    pub history_elder_ledger: u32,
    /// The last ledger that its node has.
    pub core_latest_ledger: u32,
}

/// Each record is read for itself.
#[derive(Deserialize)]
pub struct Page {
    #[serde(rename = "_embedded")]
    pub embedded: Records,
}

#[derive(Deserialize)]
pub struct Records {
    pub records: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
pub struct Ledger {
    pub sequence: u32,
    pub hash: String,
    pub closed_at: String,
    pub base_fee_in_stroops: u32,
    pub base_reserve_in_stroops: u64,
}

#[derive(Deserialize)]
pub struct Account {
    pub account_id: Option<String>,
    pub sequence: String,
    pub subentry_count: u64,
    #[serde(default)]
    pub num_sponsoring: u64,
    #[serde(default)]
    pub num_sponsored: u64,
    pub balances: Vec<Balance>,
    #[serde(default)]
    pub data: BTreeMap<String, String>,
}

#[derive(Deserialize)]
pub struct Balance {
    pub balance: String,
    #[serde(default)]
    pub selling_liabilities: Option<String>,
    pub asset_type: String,
}

impl Account {
    pub fn is(&self, address: &str) -> bool {
        self.account_id.as_ref().is_none_or(|own| own == address)
    }

    /// SEP-29: payments to it must carry a memo.
    pub fn requires_memo(&self) -> bool {
        self.data.get("config.memo_required").is_some_and(|value| value == "MQ==") // base64 of "1"
    }

    /// Everything that it holds, in stroops.
    pub fn native(&self) -> Option<u64> {
        let native = self.balances.iter().find(|balance| balance.asset_type == "native")?;
        stroops(&native.balance)
    }

    /// The spendable balance in stroops: without the reserve and without liabilities of offers.
    pub fn spendable(&self, base_reserve: u64) -> Option<u64> {
        let native = self.balances.iter().find(|balance| balance.asset_type == "native")?;
        let entries = (2 + self.subentry_count + self.num_sponsoring).saturating_sub(self.num_sponsored);
        let held = stroops(native.selling_liabilities.as_deref().unwrap_or("0"))?;
        let total = stroops(&native.balance)?;
        Some(total.saturating_sub(held).saturating_sub(entries.checked_mul(base_reserve)?))
    }
}

#[derive(Deserialize)]
pub struct Effect {
    /// The number of its operation, and its own.
    pub paging_token: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub account: String,
    pub amount: Option<String>,
    pub asset_type: Option<String>,
}

/// One transaction, by hash.
#[derive(Deserialize)]
pub struct Found {
    pub hash: Option<String>,
    pub inner_transaction: Option<Inner>,
    pub successful: bool,
    pub ledger: u32,
}

impl Found {
    pub fn is(&self, hash: &str) -> bool {
        let inner = self.inner_transaction.as_ref().map(|inner| &inner.hash);
        self.hash.is_none() || [self.hash.as_ref(), inner].into_iter().flatten().any(|own| own == hash)
    }
}

/// A transaction in an account's list.
#[derive(Deserialize)]
pub struct Listed {
    pub hash: String,
    pub ledger: u32,
    pub successful: bool,
    pub source_account: String,
    pub source_account_sequence: String,
    /// The transaction that a fee-bump transaction carries; anybody can add one.
    pub inner_transaction: Option<Inner>,
}

#[derive(Deserialize)]
pub struct Inner {
    pub hash: String,
}

impl Listed {
    pub fn is(&self, hash: &str) -> bool {
        self.hash == hash || self.inner_transaction.as_ref().is_some_and(|inner| inner.hash == hash)
    }
}

#[derive(Deserialize)]
pub struct FeeStats {
    pub last_ledger_base_fee: String,
    pub fee_charged: Percentiles,
}

#[derive(Deserialize)]
pub struct Percentiles {
    pub p95: String,
}

#[derive(Deserialize)]
pub struct Submitted {
    pub tx_status: String,
}

/// A number that JSON shows as text or number.
pub fn number(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

pub fn stroops(text: &str) -> Option<u64> {
    u64::try_from(Amount::parse(text, DECIMALS).ok()?.atoms()).ok()
}

/// Parses Horizon's time format into UNIX seconds.
pub fn seconds(text: &str) -> Option<u64> {
    let time = humantime::parse_rfc3339(text).ok()?;
    time.duration_since(UNIX_EPOCH).ok().map(|duration| duration.as_secs())
}
