//! The parts of rippled's and Clio's answers that are read, in both versions of their API.

use checkout_core::Decimal;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Seconds from the UNIX epoch to the XRP Ledger's epoch, the start of the year 2000.
pub const EPOCH: u64 = 946_684_800;

#[derive(Deserialize)]
pub struct ServerInfo {
    pub info: Info,
}

#[derive(Deserialize)]
pub struct Info {
    /// Absent on old servers of the main network.
    pub network_id: Option<u32>,
    /// Absent in answers of Clio.
    pub server_state: Option<String>,
    #[serde(default)]
    pub amendment_blocked: bool,
    pub complete_ledgers: String,
    /// Absent until the server has one.
    pub validated_ledger: Option<Validated>,
}

#[derive(Deserialize)]
pub struct Validated {
    /// Seconds since it closed.
    pub age: u64,
    pub hash: String,
    pub seq: u32,
    reserve_base_xrp: Box<RawValue>,
    reserve_inc_xrp: Box<RawValue>,
}

impl Validated {
    /// The reserve of an account that owns `objects`, in drops.
    pub fn reserve(&self, objects: u32) -> Option<u64> {
        let [base, each] = [&self.reserve_base_xrp, &self.reserve_inc_xrp].map(|raw| {
            let text = raw.get();
            text.parse().or_else(|_| Decimal::from_scientific(text)).ok()
        });
        let xrp: Decimal = each?.checked_mul(objects.into())?.checked_add(base?)?;
        u64::try_from(xrp.checked_mul(1_000_000.into())?).ok()
    }
}

#[derive(Deserialize)]
pub struct AccountInfo {
    pub account_data: Account,
    /// The ledger of the answer.
    pub ledger_index: Option<u32>,
    #[serde(default)]
    pub validated: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Account {
    pub account: Option<String>,
    pub balance: String,
    pub flags: u32,
    pub owner_count: u32,
    /// The ledger of the last transaction that changed the account.
    #[serde(rename = "PreviousTxnLgrSeq")]
    pub changed: Option<u32>,
    pub sequence: u32,
}

impl Account {
    /// `lsfRequireDestTag`
    pub fn requires_tag(&self) -> bool {
        self.flags & 0x0002_0000 != 0
    }

    /// `lsfDepositAuth`
    pub fn requires_authorization(&self) -> bool {
        self.flags & 0x0100_0000 != 0
    }

    pub fn drops(&self) -> Option<u64> {
        self.balance.parse().ok()
    }
}

#[derive(Deserialize)]
pub struct AccountTransactions {
    pub account: Option<String>,
    pub ledger_index_min: u32,
    pub ledger_index_max: u32,
    /// Each is read for itself: see [`LedgerEntry`](crate::entry::LedgerEntry).
    pub transactions: Vec<Box<RawValue>>,
    pub marker: Option<Value>,
}

/// One transaction, by hash.
#[derive(Deserialize)]
pub struct Found {
    pub hash: Option<String>,
    #[serde(default)]
    pub validated: bool,
    pub ledger_index: Option<u32>,
    pub meta: Option<Outcome>,
}

/// The signed form of a transaction.
#[derive(Deserialize)]
pub struct Blob {
    /// `tx` in version 1 of the API.
    #[serde(alias = "tx")]
    pub tx_blob: String,
    /// Absent in answers of servers that do not know their network, and on networks with a greater id than fits.
    pub ctid: Option<String>,
}

impl Blob {
    /// The last part of the [concise id](https://xrpl.org/docs/references/protocol/data-types/ctid).
    pub fn network(&self) -> Option<u32> {
        let network = self.ctid.as_ref()?.get(12..)?;
        u16::from_str_radix(network, 16).ok().map(u32::from)
    }
}

pub const SUCCESS: &str = "tesSUCCESS";

#[derive(Deserialize)]
pub struct Outcome {
    #[serde(rename = "TransactionResult")]
    pub result: String,
}

#[derive(Deserialize)]
pub struct LedgerAnswer {
    pub ledger: Ledger,
    pub ledger_hash: String,
    pub ledger_index: u32,
}

#[derive(Deserialize)]
pub struct Ledger {
    pub close_time: u64,
}

#[derive(Deserialize)]
pub struct Fee {
    pub drops: Drops,
}

#[derive(Deserialize)]
pub struct Drops {
    pub base_fee: String,
    pub open_ledger_fee: String,
}

#[derive(Deserialize)]
pub struct Submitted {
    pub engine_result: String,
    pub engine_result_message: String,
}

/// Returns the range of `complete_ledgers`, such as `32570-6595042,6595050-6595060`, that contains `ledger`.
pub fn range_of(complete: &str, ledger: u32) -> Option<(u32, u32)> {
    complete.split(',').find_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range: (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (range.0..=range.1).contains(&ledger).then_some(range)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let check =
            |complete, ledger, expected| assert_eq!(range_of(complete, ledger), expected, "{complete}");
        check("32570-6595042", 32_570, Some((32_570, 6_595_042)));
        check("32570-6595042", 6_595_043, None);
        check("1-5, 8-9,12", 8, Some((8, 9)));
        check("1-5,8-9,12", 12, Some((12, 12)));
        check("1-5,8-9", 6, None);
        check("empty", 1, None);
        check("", 0, None);
    }

    #[test]
    fn reserves() {
        let check = |base: &str, each: &str, objects, expected| {
            let text = format!(
                r#"{{"age":1,"hash":"00","seq":7,"base_fee_xrp":1e-05,"reserve_base_xrp":{base},"reserve_inc_xrp":{each}}}"#
            );
            let ledger: Validated = serde_json::from_str(&text).unwrap();
            assert_eq!(ledger.reserve(objects), expected, "{text}");
        };
        check("1", "0.2", 0, Some(1_000_000));
        check("1", "0.2", 3, Some(1_600_000));
        check("1", "2e-1", 3, Some(1_600_000));
        check("\"one\"", "0.2", 0, None);
    }
}
