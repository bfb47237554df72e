//! A small ledger: accounts, transactions with their operations, and pending transactions.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use stellar_xdr::{
    Asset, Memo, MuxedAccount, OperationBody, Preconditions, PublicKey, Transaction, TransactionEnvelope,
};

use crate::hostile::Hostile;
use crate::{Fault, merge};

/// Stroops.
pub const FEE: u32 = 100;
pub const RESERVE: u64 = 5_000_000;

/// Seconds between two ledgers.
pub const INTERVAL: u64 = 5;
/// UNIX second of ledger 0.
const START: u64 = 1_500_000_000;

#[derive(Clone, Debug, Default)]
pub struct Account {
    pub stroops: u64,
    pub sequence: u64,
    pub entries: u64,
    pub data: BTreeMap<String, String>,
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub ledger: u32,
    pub id: u64,
    /// The accounts that list it.
    pub accounts: Vec<String>,
    pub fields: Value,
    pub effects: Vec<Value>,
    pub hash: String,
}

#[derive(Clone, Debug)]
pub struct Closed {
    pub ledger: u32,
    pub successful: bool,
    pub fields: Value,
}

#[derive(Clone, Debug)]
pub struct Ledger {
    pub passphrase: String,
    pub accounts: BTreeMap<String, Account>,
    pub operations: Vec<Operation>,
    pub transactions: BTreeMap<String, Closed>,
    /// Submitted, not yet in a ledger.
    pub open: Vec<(Transaction, String)>,
    next: Vec<(Value, Vec<Value>, Value)>,
    pub first: u32,
    pub last: u32,
    /// Ledgers that the node has and Horizon has not ingested.
    pub behind: u32,
    pub fee: u32,
    pub fault: Fault,
    pub hostile: Hostile,
    pub forgets: bool,
    /// Whether answers about accounts name their ledger.
    pub names_ledger: bool,
    pub requests: u64,
    /// A server behind the same URL that stands still, and the questions that it answers.
    pub lagging: Option<Box<(Self, Vec<&'static str>)>>,
    made: u64,
}

impl Default for Ledger {
    fn default() -> Self {
        Self {
            passphrase: "Public Global Stellar Network ; September 2015".to_owned(),
            accounts: BTreeMap::new(),
            operations: Vec::new(),
            transactions: BTreeMap::new(),
            open: Vec::new(),
            next: Vec::new(),
            first: 40_000_000,
            last: 50_000_000,
            behind: 0,
            fee: FEE,
            fault: Fault::None,
            hostile: Hostile::default(),
            forgets: false,
            names_ledger: true,
            requests: 0,
            lagging: None,
            made: 0,
        }
    }
}

impl Ledger {
    pub fn network_id(&self) -> [u8; 32] {
        Sha256::digest(self.passphrase.as_bytes()).into()
    }

    pub fn fund(&mut self, address: &str, stroops: u64) {
        let first = u64::from(self.last) << 32;
        let account = self.accounts.entry(address.to_owned()).or_default();
        account.stroops += stroops;
        account.sequence = account.sequence.max(first);
    }

    /// Adds a transaction with one operation to the next ledger. Fills in missing fields and checks nothing.
    pub fn put(&mut self, operation: Value, effects: Vec<Value>, transaction: Value) -> String {
        self.made += 1;
        let hash = hex::encode(Sha256::digest(self.made.to_be_bytes()));
        let mut fields = json!({
            "hash": hash, "successful": true, "memo_type": "none", "fee_charged": "100", "max_fee": "1000",
            "source_account": "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ", "operation_count": 1
        });
        merge(&mut fields, transaction);
        self.next.push((operation, effects, fields));
        hash
    }

    /// Closes the next ledger.
    pub fn close(&mut self) -> u32 {
        self.last += 1;
        let mut order = 0;
        for (operation, effects, transaction) in std::mem::take(&mut self.next) {
            order += 1;
            self.record(order, operation, effects, transaction);
        }
        // One transaction per account in each ledger.
        let mut seen = Vec::new();
        for (transaction, hash) in std::mem::take(&mut self.open) {
            let source = address(&transaction.source_account).0;
            let code = self.opinion(&transaction);
            if code == "txBAD_SEQ" || seen.contains(&source) {
                self.open.push((transaction, hash));
                continue;
            }
            if code != "txSUCCESS" {
                continue;
            }
            seen.push(source);
            order += 1;
            self.apply(order, &transaction, &hash);
        }
        self.last
    }

    /// From now on a second server, which stays as it is, answers these questions: `root`, `account`, `transactions`,
    /// `transaction`, `ledgers`.
    pub fn lag(&mut self, questions: &[&'static str]) {
        self.lagging = None;
        self.lagging = Some(Box::new((self.clone(), questions.to_vec())));
    }

    /// The server that answers a question.
    pub fn behind(&self, question: &str) -> &Self {
        match &self.lagging {
            Some(lagging) if lagging.1.contains(&question) => &lagging.0,
            _ => self,
        }
    }

    pub fn close_many(&mut self, count: u32) {
        for _ in 0..count {
            self.close();
        }
    }

    /// The node's current answer to a transaction.
    pub fn opinion(&self, transaction: &Transaction) -> &'static str {
        let Some(source) = self.accounts.get(&address(&transaction.source_account).0) else {
            return "txNO_ACCOUNT";
        };
        let late = match &transaction.cond {
            Preconditions::Time(bounds) => bounds.max_time.0 != 0 && bounds.max_time.0 < closed_at(self.last),
            _ => false,
        };
        let sequence = u64::try_from(transaction.seq_num.0).unwrap_or(0);
        match () {
            () if late => "txTOO_LATE",
            () if sequence != source.sequence + 1 => "txBAD_SEQ",
            () if transaction.fee < self.fee => "txINSUFFICIENT_FEE",
            () => "txSUCCESS",
        }
    }

    fn apply(&mut self, order: u64, transaction: &Transaction, hash: &str) {
        let from = address(&transaction.source_account).0;
        let (to, amount, kind) = match &transaction.operations[0].body {
            OperationBody::Payment(payment) if payment.asset == Asset::Native => {
                (address(&payment.destination), payment.amount, "payment")
            }
            OperationBody::CreateAccount(creation) => {
                let PublicKey::PublicKeyTypeEd25519(key) = &creation.destination.0;
                ((account(&key.0), None), creation.starting_balance, "create_account")
            }
            _ => unreachable!("others are refused when they come in"),
        };
        let amount = u64::try_from(amount).unwrap_or(0);
        let exists = self.accounts.contains_key(&to.0);
        let source = self.accounts.get_mut(&from).expect("its number was looked at");
        source.sequence += 1;
        source.stroops -= u64::from(self.fee);
        let is_funded = source.stroops >= amount + 2 * RESERVE;
        let successful = is_funded && exists == (kind == "payment") && (exists || amount >= 2 * RESERVE);
        if successful {
            source.stroops -= amount;
            self.fund(&to.0, amount);
        }
        let text = format!("{}.{:07}", amount / 10_000_000, amount % 10_000_000);
        let operation = match kind {
            "payment" => {
                json!({"type": kind, "type_i": 1, "from": from, "to": to.0, "amount": text, "asset_type": "native"})
            }
            _ => {
                json!({"type": kind, "type_i": 0, "funder": from, "account": to.0, "starting_balance": text})
            }
        };
        let mut operation = operation;
        if let Some(id) = to.1 {
            merge(&mut operation, json!({"to_muxed_id": id.to_string()}));
        }
        let (memo_type, memo) = match &transaction.memo {
            Memo::None => ("none", Value::Null),
            Memo::Text(text) => ("text", json!(text.to_utf8_string_lossy())),
            Memo::Id(id) => ("id", json!(id.to_string())),
            Memo::Hash(hash) => ("hash", json!(STANDARD.encode(hash.0))),
            Memo::Return(hash) => ("return", json!(STANDARD.encode(hash.0))),
        };
        let fields = json!({
            "hash": hash, "successful": successful, "memo_type": memo_type, "memo": memo,
            "fee_charged": self.fee.to_string(), "max_fee": transaction.fee.to_string(), "source_account": from,
            "source_account_sequence": transaction.seq_num.0.to_string(), "operation_count": 1
        });
        self.record(order, operation, Vec::new(), fields);
    }

    fn record(&mut self, order: u64, mut operation: Value, effects: Vec<Value>, mut transaction: Value) {
        let id = (u64::from(self.last) << 32) | (order << 12) | 1;
        let hash = transaction["hash"].as_str().unwrap_or_default().to_owned();
        let (time, successful) = (timestamp(self.last), transaction["successful"] == json!(true));
        merge(
            &mut transaction,
            json!({"ledger": self.last, "created_at": time, "id": hash, "paging_token": (id & !0xFFF).to_string()}),
        );
        let mut fields = json!({
            "id": id.to_string(), "paging_token": id.to_string(), "transaction_successful": successful,
            "source_account": transaction["source_account"], "created_at": time, "transaction_hash": hash
        });
        let names = ["from", "to", "account", "into", "funder"];
        let mut accounts: Vec<String> =
            names.iter().filter_map(|name| operation[*name].as_str().map(str::to_owned)).collect();
        for change in operation["asset_balance_changes"].as_array().unwrap_or(&Vec::new()) {
            accounts
                .extend(["from", "to"].iter().filter_map(|name| change[*name].as_str().map(str::to_owned)));
        }
        merge(&mut fields, operation.take());
        self.operations.push(Operation {
            ledger: self.last,
            id,
            accounts,
            fields,
            effects,
            hash: hash.clone(),
        });
        self.transactions.insert(hash, Closed { ledger: self.last, successful, fields: transaction });
    }
}

/// Returns the transaction of an envelope and its hash, if only its account signed it and its kind is
/// supported.
pub fn signed(envelope: &TransactionEnvelope, network: [u8; 32]) -> Option<(Transaction, String)> {
    use ed25519_dalek::Verifier as _;
    let TransactionEnvelope::Tx(envelope) = envelope else { return None };
    let hash = envelope.hash(network).ok()?;
    let (MuxedAccount::Ed25519(key), [signature]) =
        (&envelope.tx.source_account, envelope.signatures.as_slice())
    else {
        return None;
    };
    let key = ed25519_dalek::VerifyingKey::from_bytes(&key.0).ok()?;
    let bytes = ed25519_dalek::Signature::from_slice(signature.signature.0.as_slice()).ok()?;
    let is_known = matches!(
        envelope.tx.operations.as_slice(),
        [operation] if matches!(operation.body, OperationBody::Payment(_) | OperationBody::CreateAccount(_))
    );
    let is_signed = key.verify(&hash, &bytes).is_ok() && signature.hint.0 == key.as_bytes()[28..];
    (is_known && is_signed).then(|| (envelope.tx.clone(), hex::encode(hash)))
}

fn address(muxed: &MuxedAccount) -> (String, Option<u64>) {
    match muxed {
        MuxedAccount::Ed25519(key) => (account(&key.0), None),
        MuxedAccount::MuxedEd25519(muxed) => (account(&muxed.ed25519.0), Some(muxed.id)),
    }
}

fn account(key: &[u8; 32]) -> String {
    stellar_strkey::ed25519::PublicKey(*key).to_string().as_str().to_owned()
}

pub fn closed_at(ledger: u32) -> u64 {
    START + u64::from(ledger) * INTERVAL
}

pub fn timestamp(ledger: u32) -> String {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(closed_at(ledger));
    humantime::format_rfc3339_seconds(time).to_string()
}
