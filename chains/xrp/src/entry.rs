//! A transaction in an account's list or by its hash, in both versions of the API. An odd field concerns only what is read from it.

use checkout_chain_http::Fields;
use checkout_chain_http::fields::is_hash;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// `Amount` and `DeliverMax` are deliberately not read: a partial payment delivers less.
#[derive(Clone, Debug)]
pub struct LedgerEntry {
    outer: Fields,
    tx: Result<Fields, String>,
    meta: Result<Fields, String>,
}

impl LedgerEntry {
    pub fn of(raw: &RawValue) -> Result<Self, String> {
        let outer = Fields::of(raw)?;
        let tx = outer.object("tx_json").or_else(|_| outer.object("tx"));
        Ok(Self { tx, meta: outer.object("meta"), outer })
    }

    /// Of the answer about one transaction. Version 1 of the API has the fields of the transaction beside the others.
    pub fn of_answer(raw: &RawValue) -> Result<Self, String> {
        let outer = Fields::of(raw)?;
        let tx = outer.object("tx_json").or_else(|_| Ok(outer.clone()));
        Ok(Self { tx, meta: outer.object("meta"), outer })
    }

    pub fn tx(&self) -> Result<&Fields, String> {
        self.tx.as_ref().map_err(Clone::clone)
    }

    pub fn meta(&self) -> Result<&Fields, String> {
        self.meta.as_ref().map_err(Clone::clone)
    }

    /// In upper-case digits. `None` if it has two.
    pub fn hash(&self) -> Option<String> {
        let of = |fields: &Fields| fields.need::<String>("hash").ok().filter(|hash| is_hash(hash));
        let both = [of(&self.outer), self.tx.as_ref().ok().and_then(of)];
        let mut all = both.into_iter().flatten().map(|hash| hash.to_ascii_uppercase());
        let hash = all.next()?;
        all.all(|other| other == hash).then_some(hash)
    }

    pub fn ledger(&self) -> Option<u32> {
        let of = |fields: &Fields| fields.need("ledger_index").ok();
        of(&self.outer).or_else(|| of(self.tx.as_ref().ok()?))
    }

    /// Its place in the ledger.
    pub fn index(&self) -> Option<u32> {
        self.meta.as_ref().ok()?.need("TransactionIndex").ok()
    }

    pub fn is_validated(&self) -> Result<bool, String> {
        self.outer.need("validated")
    }

    pub fn result(&self) -> Result<String, String> {
        self.meta()?.need("TransactionResult")
    }

    pub fn account(&self) -> Option<String> {
        self.tx.as_ref().ok()?.need("Account").ok()
    }

    /// As the sender numbers its transactions: sequence and ticket.
    pub fn numbers(&self) -> [Option<u32>; 2] {
        ["Sequence", "TicketSequence"].map(|name| self.tx.as_ref().ok()?.get(name).ok().flatten())
    }

    /// 0 for a transaction with a ticket.
    pub fn sequence(&self) -> Option<u32> {
        self.tx.as_ref().ok()?.get("Sequence").ok().map(Option::unwrap_or_default)
    }

    /// Whether the transaction set a number of the account aside as a ticket.
    pub fn creates_ticket(&self, account: &str, number: u64) -> bool {
        let nodes =
            self.meta.as_ref().ok().and_then(|meta| meta.need::<Vec<AffectedNode>>("AffectedNodes").ok());
        let mut created = nodes.into_iter().flatten().filter_map(|node| node.created);
        created.any(|node| {
            let fields = &node.new_fields;
            node.ledger_entry_type == "Ticket"
                && fields["Account"] == account
                && fields["TicketSequence"].as_u64() == Some(number)
        })
    }
}

#[derive(Deserialize)]
struct AffectedNode {
    #[serde(rename = "CreatedNode")]
    created: Option<CreatedNode>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CreatedNode {
    ledger_entry_type: String,
    #[serde(default)]
    new_fields: Value,
}
