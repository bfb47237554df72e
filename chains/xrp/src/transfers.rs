//! Extracts deposits from transactions of an account.

use checkout_chain_http::Fields;
use checkout_core::address::Address;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::environment::ANY_NETWORK;
use checkout_domain::chain::{OutputId, OutputState, Transfer};

use crate::answers::EPOCH;
use crate::entry::LedgerEntry;

pub(crate) const DECIMALS: u8 = 6;

/// All that there is, in drops.
const MOST: u64 = 100_000_000_000_000_000;

/// Both transaction types deliver XRP to their destination and tag. XRP also arrives by checks, escrows and
/// payment channels that the account itself set up or cashed; these are not deposits.
pub(crate) const KINDS: [&str; 2] = ["Payment", "AccountDelete"];

/// Returns `None` if the account receives no XRP, and an error if that cannot be said, or how much.
pub fn read(entry: &LedgerEntry, account: &str) -> Result<Option<Transfer>, String> {
    if brings_nothing(entry, account) {
        return Ok(None);
    }
    let (tx, meta) = (entry.tx()?, entry.meta()?);
    entry.is_validated()?;
    entry.result()?;
    for name in ["TransactionType", "Destination"] {
        tx.need::<String>(name)?;
    }
    let drops = delivered(meta)?;
    if drops == 0 {
        return Ok(None);
    }
    let amount = |drops: u64| Amount::from_atoms(drops.into()).map_err(|error| error.to_string());
    let from: String = tx.need("Account")?;
    Address::parse_with(Network::Xrp, &from, &ANY_NETWORK).map_err(|_| "its Account is no address")?;
    let fee = tx.need::<String>("Fee")?.parse().map_err(|_| "its Fee is no number of drops")?;
    Ok(Some(Transfer {
        output: OutputId {
            network: Network::Xrp,
            transaction: entry.hash().ok_or("it has no hash")?,
            index: 0,
        },
        currency: Currency::Xrp,
        amount: amount(drops)?,
        to: account.to_owned(),
        tag: tag(tx, "DestinationTag")?,
        from,
        from_tag: tag(tx, "SourceTag")?,
        other_senders: Vec::new(),
        fee: amount(fee)?.to_text(DECIMALS),
        seen_at: EPOCH.saturating_add(tx.need("date")?),
        state: OutputState::Confirmed,
        uncertain: false,
    }))
}

/// Whether that is certain, whatever its other fields are.
fn brings_nothing(entry: &LedgerEntry, account: &str) -> bool {
    let is_other = |tx: &Fields| {
        tx.is("TransactionType", |kind| !KINDS.contains(&kind))
            || tx.is("Destination", |to| to != account)
            || tx.is("Account", |from| from == account)
    };
    let moves_no_xrp = |meta: &Fields| {
        meta.is("TransactionResult", |result| result != "tesSUCCESS")
            // An issued currency.
            || meta.object("delivered_amount").is_ok_and(|amount| amount.is("value", |_| true))
    };
    entry.tx().is_ok_and(is_other) || entry.meta().is_ok_and(moves_no_xrp)
}

/// Text. The server computes it for each answer, and cannot for partial payments before 2014. Unlike `Amount`, it is the amount
/// that arrived.
fn delivered(meta: &Fields) -> Result<u64, String> {
    const NAME: &str = "delivered_amount";
    let text: String = meta.need(NAME)?;
    let drops = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    drops.filter(|drops| *drops <= MOST).ok_or_else(|| format!("its {NAME} is no number of drops"))
}

fn tag(tx: &Fields, name: &str) -> Result<Option<String>, String> {
    Ok(tx.get::<u32>(name)?.map(|tag| tag.to_string()))
}
