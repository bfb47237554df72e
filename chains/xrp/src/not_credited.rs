//! What a transaction brings to accounts beside deposits: XRP by escrows, payment channels, checks and offers, and issued
//! currencies.

use checkout_core::Amount;
use checkout_domain::chain::found::NotCredited;
use serde_json::Value;

use crate::answers::SUCCESS;
use crate::entry::LedgerEntry;
use crate::transfers::{DECIMALS, KINDS};

/// Empty for one that failed, and as far as its metadata cannot be read.
pub(crate) fn read(entry: &LedgerEntry) -> Vec<NotCredited> {
    if entry.result().is_ok_and(|result| result != SUCCESS) {
        return Vec::new();
    }
    let kind: Option<String> = entry.tx().ok().and_then(|tx| tx.need("TransactionType").ok());
    match kind {
        Some(kind) if KINDS.iter().any(|(known, _)| *known == kind) => issued(entry).into_iter().collect(),
        _ => raised(entry).unwrap_or_default(),
    }
}

/// A payment in an issued currency, named after its issuer: anybody can issue one of any name.
fn issued(entry: &LedgerEntry) -> Option<NotCredited> {
    let delivered: Value = entry.meta().ok()?.need("delivered_amount").ok()?;
    let text = |name: &str| delivered[name].as_str();
    let asset = match (text("currency"), text("issuer"), text("mpt_issuance_id")) {
        (Some(currency), Some(issuer), _) => format!("{currency}.{issuer}"),
        (_, _, Some(issuance)) => issuance.to_owned(),
        _ => return None,
    };
    let to = entry.tx().ok()?.need("Destination").ok()?;
    Some(NotCredited { asset, amount: text("value")?.to_owned(), to })
}

/// The accounts whose balances the transaction raised.
fn raised(entry: &LedgerEntry) -> Option<Vec<NotCredited>> {
    let nodes: Vec<Value> = entry.meta().ok()?.need("AffectedNodes").ok()?;
    let drops = |fields: &Value| fields["Balance"].as_str().and_then(|drops| drops.parse::<u64>().ok());
    let raise = |node: &Value| {
        let (node, fields, before) = match (node.get("ModifiedNode"), node.get("CreatedNode")) {
            (Some(node), _) => (node, "FinalFields", drops(&node["PreviousFields"])?),
            (None, Some(node)) => (node, "NewFields", 0),
            _ => return None,
        };
        if node["LedgerEntryType"] != "AccountRoot" {
            return None;
        }
        let more = drops(&node[fields])?.checked_sub(before).filter(|more| *more > 0)?;
        let amount = Amount::from_atoms(more.into()).ok()?.to_text(DECIMALS);
        let to = node[fields]["Account"].as_str()?.to_owned();
        Some(NotCredited { asset: "XRP".to_owned(), amount, to })
    };
    Some(nodes.iter().filter_map(raise).collect())
}
