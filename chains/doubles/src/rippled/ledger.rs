//! A small ledger: accounts, validated transactions, and pending transactions.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::blob;
use crate::hostile::Hostile;
use crate::{Fault, merge};

/// Drops.
pub const FEE: u64 = 10;
pub const RESERVE: u64 = 1_000_000;

/// Seconds between two ledgers, and the close time of the first one since the network's epoch.
const INTERVAL: u32 = 4;
const START: u32 = 800_000_000;

#[derive(Clone, Debug, Default)]
pub struct Account {
    pub drops: u64,
    pub sequence: u32,
    pub flags: u32,
    pub objects: u32,
}

/// `lsfRequireDestTag`
pub const REQUIRE_TAG: u32 = 0x0002_0000;
/// `lsfDepositAuth`
pub const DEPOSIT_AUTH: u32 = 0x0100_0000;

#[derive(Clone, Debug)]
pub struct Entry {
    pub ledger: u32,
    pub hash: String,
    pub tx: Map<String, Value>,
    pub meta: Value,
}

impl Entry {
    pub fn is_of(&self, address: &str) -> bool {
        [self.tx.get("Account"), self.tx.get("Destination")].contains(&Some(&json!(address)))
    }
}

/// All pages of a list but the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterPages {
    Given,
    /// They come from a server that does not have the last ledger.
    Lag,
    Refused,
}

#[derive(Clone, Debug)]
pub struct Ledger {
    pub network: u32,
    pub accounts: BTreeMap<String, Account>,
    /// In ledger order.
    pub validated: Vec<Entry>,
    /// Submitted, not yet in a ledger.
    pub open: Vec<(Map<String, Value>, String)>,
    /// Submitted, and no ledger can include them any more. rippled still answers with them: each submission and each look-up
    /// keeps them in its cache (`TransactionMaster`).
    pub cached: Vec<(Map<String, Value>, String)>,
    /// Added by a test, for the next ledger.
    next: Vec<(Map<String, Value>, Value)>,
    /// Ledgers that the server has; the last one is validated.
    pub first: u32,
    pub last: u32,
    /// A gap in its history.
    pub missing: Option<u32>,
    /// Seconds since the last ledger.
    pub age: u64,
    pub state: &'static str,
    pub fee: u64,
    pub fault: Fault,
    pub hostile: Hostile,
    /// Drops submitted transactions.
    pub forgets: bool,
    /// Stands behind what has transactions as JSON alone, whatever it is asked.
    pub json_alone: bool,
    /// Nobody else sends anything: ledgers without transactions of ours are empty.
    pub quiet: bool,
    pub requests: u64,
    pub later_pages: LaterPages,
    /// The most entries of a page.
    pub page: usize,
    /// A server behind the same URL that stands still, and the methods that it answers.
    pub lagging: Option<Box<(Self, Vec<&'static str>)>>,
    made: u64,
}

impl Default for Ledger {
    fn default() -> Self {
        Self {
            network: 0,
            accounts: BTreeMap::new(),
            validated: Vec::new(),
            open: Vec::new(),
            cached: Vec::new(),
            next: Vec::new(),
            first: 1000,
            last: 90_000_000,
            missing: None,
            age: 2,
            state: "full",
            fee: FEE,
            fault: Fault::None,
            hostile: Hostile::default(),
            forgets: false,
            json_alone: false,
            quiet: false,
            requests: 0,
            later_pages: LaterPages::Given,
            page: 200,
            lagging: None,
            made: 0,
        }
    }
}

impl Ledger {
    pub fn fund(&mut self, address: &str, drops: u64) {
        let account = self.accounts.entry(address.to_owned()).or_default();
        account.drops += drops;
        account.sequence = account.sequence.max(7);
    }

    /// Adds a transaction with its metadata to the next ledger. Fills in missing fields and checks nothing.
    pub fn put(&mut self, tx: Value, meta: Value) -> String {
        self.made += 1;
        let mut fields = json!({
            "TransactionType": "Payment", "Account": "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "Fee": "12", "Flags": 0,
            "Sequence": 5 + self.made
        });
        merge(&mut fields, tx);
        let mut all = json!({"TransactionResult": "tesSUCCESS", "AffectedNodes": []});
        merge(&mut all, meta);
        let Value::Object(mut fields) = fields else { unreachable!("it is an object") };
        let hash = blob::hash(&blob::write(&fields));
        fields.insert("hash".to_owned(), json!(hash));
        self.next.push((fields, all));
        hash
    }

    /// Validates the next ledger.
    pub fn close(&mut self) -> u32 {
        self.last += 1;
        let mut index = 0;
        for (tx, mut meta) in std::mem::take(&mut self.next) {
            meta["TransactionIndex"] = index.into();
            index += 1;
            let hash = tx["hash"].as_str().unwrap_or_default().to_owned();
            self.validated.push(Entry { ledger: self.last, hash, tx, meta });
        }
        let mut open = std::mem::take(&mut self.open);
        open.sort_by_key(|(tx, _)| tx["Sequence"].as_u64());
        for (tx, hash) in open {
            let result = self.opinion(&tx);
            if !result.starts_with("tes") && !result.starts_with("tec") {
                if result.starts_with("ter") {
                    self.open.push((tx, hash));
                } else {
                    self.cached.push((tx, hash));
                }
                continue;
            }
            let delivered = self.apply(&tx, result);
            let mut meta =
                json!({"TransactionResult": result, "TransactionIndex": index, "AffectedNodes": []});
            if delivered {
                meta["delivered_amount"] = tx["Amount"].clone();
            }
            index += 1;
            self.validated.push(Entry { ledger: self.last, hash, tx, meta });
        }
        self.last
    }

    /// From now on a second server, which stays as it is, answers these methods.
    pub fn lag(&mut self, methods: &[&'static str]) {
        self.lagging = None;
        self.lagging = Some(Box::new((self.clone(), methods.to_vec())));
    }

    pub fn close_many(&mut self, count: u32) {
        for _ in 0..count {
            self.close();
        }
    }

    /// Returns the result of a payment in the next ledger.
    pub fn opinion(&self, tx: &Map<String, Value>) -> &'static str {
        let number = |name: &str| tx.get(name).and_then(Value::as_u64);
        let drops =
            |name: &str| tx.get(name).and_then(Value::as_str).and_then(|text| text.parse::<u64>().ok());
        let Some(sender) = tx["Account"].as_str().and_then(|account| self.accounts.get(account)) else {
            return "terNO_ACCOUNT";
        };
        let (amount, fee) = (drops("Amount").unwrap_or(0), drops("Fee").unwrap_or(0));
        let sequence = number("Sequence").unwrap_or(0);
        if number("LastLedgerSequence").is_some_and(|last| last <= self.last.into()) {
            return "tefMAX_LEDGER";
        }
        if sequence < sender.sequence.into() {
            return "tefPAST_SEQ";
        }
        if sequence > sender.sequence.into() {
            return "terPRE_SEQ";
        }
        if fee < self.fee {
            return "telINSUF_FEE_P";
        }
        match tx["Destination"].as_str().and_then(|account| self.accounts.get(account)) {
            None if amount < RESERVE => "tecNO_DST_INSUF_XRP",
            Some(to) if to.flags & REQUIRE_TAG != 0 && !tx.contains_key("DestinationTag") => {
                "tecDST_TAG_NEEDED"
            }
            Some(to) if to.flags & DEPOSIT_AUTH != 0 => "tecNO_PERMISSION",
            _ if sender.drops < amount + fee + RESERVE => "tecUNFUNDED_PAYMENT",
            _ => "tesSUCCESS",
        }
    }

    /// Returns whether the amount was delivered. Fee and sequence number are consumed either way.
    fn apply(&mut self, tx: &Map<String, Value>, result: &str) -> bool {
        let drops = |name: &str| tx[name].as_str().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        let is_success = result == "tesSUCCESS";
        let amount = if is_success { drops("Amount") } else { 0 };
        if let Some(sender) = tx["Account"].as_str().and_then(|account| self.accounts.get_mut(account)) {
            sender.drops -= amount + drops("Fee");
            sender.sequence += 1;
        }
        if is_success {
            self.fund(tx["Destination"].as_str().unwrap_or_default(), amount);
        }
        is_success
    }

    /// The last transaction up to a ledger that changed an account.
    pub fn last_of(&self, address: &str, ledger: u32) -> Option<&Entry> {
        self.validated.iter().rev().find(|entry| entry.ledger <= ledger && entry.is_of(address))
    }

    pub fn close_time(ledger: u32) -> u32 {
        START + (ledger % 100_000_000) / 1000 * INTERVAL
    }

    pub fn hash_of(ledger: u32) -> String {
        hex::encode_upper(blob::half(format!("ledger {ledger}").as_bytes()))
    }
}
