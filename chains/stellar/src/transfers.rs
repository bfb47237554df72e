//! Extracts deposits from operations of an account.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use serde_json::Value;

use crate::DECIMALS;
use crate::answers::{Operation, number, seconds};

/// XLM that the account received.
pub struct Credit {
    /// `None` if the operation does not state it: the whole balance of a merged account.
    amount: Option<String>,
    from: String,
    from_muxed_id: Option<String>,
    muxed_id: Option<String>,
    /// Index among the credits of its operation.
    place: u32,
}

/// The accounts that an operation pays, each once.
pub fn recipients(operation: &Operation) -> Vec<&str> {
    let Operation { to, account, into, asset_balance_changes, .. } = operation;
    let changes = asset_balance_changes.iter().map(|change| &change.to);
    let mut all: Vec<&str> =
        [to, account, into].into_iter().chain(changes).flatten().map(String::as_str).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Empty if the account receives no XLM.
pub fn credits(operation: &Operation, account: &str) -> Vec<Credit> {
    let is_ours = |to: &Option<String>| to.as_deref() == Some(account);
    if !operation.transaction_successful {
        return Vec::new();
    }
    let id = |value: &Option<Value>| value.as_ref().and_then(number);
    let credit = |amount: Option<&String>, from: &Option<String>, from_id, to_id| Credit {
        amount: amount.cloned(),
        from: from.clone().unwrap_or_default(),
        from_muxed_id: id(from_id),
        muxed_id: id(to_id),
        place: 0,
    };
    let op = operation;
    match op.kind.as_str() {
        // `amount` and `asset_type` of a path payment are what arrives; the sent amount has fields of its
        // own.
        "payment" | "path_payment" | "path_payment_strict_receive" | "path_payment_strict_send"
            if is_ours(&op.to) && op.asset_type.as_deref() == Some("native") =>
        {
            vec![credit(op.amount.as_ref(), &op.from, &op.from_muxed_id, &op.to_muxed_id)]
        }
        "create_account" if is_ours(&op.account) => {
            vec![credit(op.starting_balance.as_ref(), &op.funder, &op.funder_muxed_id, &None)]
        }
        "account_merge" if is_ours(&op.into) => {
            vec![credit(None, &op.account, &op.account_muxed_id, &op.into_muxed_id)]
        }
        "invoke_host_function" => (0..)
            .zip(&op.asset_balance_changes)
            .filter(|(_, change)| {
                change.kind == "transfer" && change.asset_type == "native" && is_ours(&change.to)
            })
            .map(|(place, change)| {
                let credit = credit(Some(&change.amount), &change.from, &None, &change.destination_muxed_id);
                Credit { place, ..credit }
            })
            .collect(),
        _ => Vec::new(),
    }
    .into_iter()
    // A payment of the account to itself is not a deposit.
    .filter(|credit| credit.from != account)
    .collect()
}

impl Credit {
    pub fn amount(&self) -> Option<&str> {
        self.amount.as_deref()
    }

    pub fn transfer(self, operation: &Operation, account: &str, amount: &str) -> Result<Transfer, String> {
        let hash = &operation.transaction_hash;
        let wrong = |field: &str| format!("transaction {hash} has no {field}, or it cannot be read");
        let transaction = operation.transaction.as_ref().ok_or_else(|| wrong("memo"))?;
        let id: u64 = operation.id.parse().map_err(|_| wrong("operation id"))?;
        // Operations are numbered in the last twelve bits of their ids (SEP-35).
        let in_transaction = u32::try_from(id & 0xFFF).map_err(|_| wrong("operation id"))?;
        let fee = number(&transaction.fee_charged).and_then(|fee| Amount::parse(&fee, 0).ok());
        let memo = memo(&transaction.memo_type, transaction.memo.as_deref());
        Ok(Transfer {
            output: OutputId {
                network: Network::Xlm,
                transaction: hash.clone(),
                index: (self.place << 12) | in_transaction,
            },
            currency: Currency::Xlm,
            amount: Amount::parse(amount, DECIMALS).map_err(|_| wrong("amount"))?,
            to: account.to_owned(),
            // SEP-23: the id of a muxed account names its user; a memo next to it belongs to the sender.
            tag: self.muxed_id.or(memo),
            from: self.from,
            from_tag: self.from_muxed_id,
            other_senders: Vec::new(),
            fee: fee.ok_or_else(|| wrong("fee"))?.to_text(DECIMALS),
            seen_at: seconds(&operation.created_at).ok_or_else(|| wrong("time"))?,
            state: OutputState::Confirmed,
            uncertain: false,
        })
    }
}

/// The memo as payments store it: digits and text unchanged, a hash in hexadecimal digits.
fn memo(kind: &str, memo: Option<&str>) -> Option<String> {
    match kind {
        "id" | "text" => memo.map(str::to_owned),
        "hash" => {
            let bytes = STANDARD.decode(memo?).ok()?;
            Some(hex::encode(bytes))
        }
        // `return` names a transaction that is refunded.
        _ => None,
    }
    .filter(|memo| !memo.is_empty())
}
