//! Extracts deposits from transactions of an account.

use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use serde_json::Value;

use crate::answers::{EPOCH, Entry};

const DECIMALS: u8 = 6;

/// Both transaction types deliver XRP to their destination and tag. XRP also arrives by checks, escrows and
/// payment channels that the account itself set up or cashed; these are not deposits.
const KINDS: [&str; 2] = ["Payment", "AccountDelete"];

/// Returns `None` if the account receives no XRP.
pub fn read(entry: &Entry, account: &str) -> Result<Option<Transfer>, String> {
    let tx = &entry.tx;
    let is_ours = tx.destination.as_deref() == Some(account) && tx.account != account;
    if entry.meta.result != "tesSUCCESS" || !KINDS.contains(&tx.kind.as_str()) || !is_ours {
        return Ok(None);
    }
    let hash = entry.hash().ok_or("a transaction has no hash")?;
    let drops = match &entry.meta.delivered_amount {
        Some(Value::String(drops)) if drops != "unavailable" => drops,
        // An issued currency.
        Some(Value::Object(_)) => return Ok(None),
        // Servers cannot compute it for partial payments before 2014, and always can otherwise.
        other => return Err(format!("transaction {hash} has no delivered amount: {other:?}")),
    };
    let amount =
        Amount::parse(drops, 0).map_err(|_| format!("transaction {hash} delivered {drops} drops"))?;
    let fee = Amount::parse(&tx.fee, 0).map_err(|_| format!("transaction {hash} has the fee {}", tx.fee))?;
    let date = tx.date.ok_or_else(|| format!("transaction {hash} has no date"))?;
    Ok(Some(Transfer {
        output: OutputId { network: Network::Xrp, transaction: hash.to_ascii_uppercase(), index: 0 },
        currency: Currency::Xrp,
        amount,
        to: account.to_owned(),
        tag: tx.destination_tag.map(|tag| tag.to_string()),
        from: tx.account.clone(),
        from_tag: tx.source_tag.map(|tag| tag.to_string()),
        other_senders: Vec::new(),
        fee: fee.to_text(DECIMALS),
        seen_at: EPOCH.saturating_add(date),
        state: OutputState::Confirmed,
        uncertain: false,
    }))
}
