//! Extracts deposits from transactions of an account.

use checkout_chain_http::Fields;
use checkout_core::address::Address;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::environment::ANY_NETWORK;
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use serde::de::IgnoredAny;

use crate::answers::{EPOCH, SUCCESS};
use crate::entry::LedgerEntry;

pub(crate) const DECIMALS: u8 = 6;

const DELIVERED: &str = "delivered_amount";

/// All that there is, in drops.
const MOST: u64 = 100_000_000_000_000_000;

/// Both transaction types deliver XRP to their destination and tag. XRP also arrives by checks, escrows and
/// payment channels that the account itself set up or cashed; these are not deposits.
pub(crate) const KINDS: [(&str, u16); 2] = [("Payment", 0), ("AccountDelete", 21)];

/// Delivers, too, to the account that cashes its own check.
const CHECK_CASH: &str = "CheckCash";

/// Returns `None` if the account receives no XRP, and an error if that cannot be said, or how much.
pub fn read(entry: &LedgerEntry, account: &str) -> Result<Option<Transfer>, String> {
    if brings_nothing(entry, account) {
        return Ok(None);
    }
    let (tx, meta) = (entry.tx()?, entry.meta()?);
    if !entry.is_validated()? {
        return Err("it is not validated".to_owned());
    }
    if entry.result()? != SUCCESS {
        return Err("its TransactionResult is not known".to_owned());
    }
    let kind: String = tx.need("TransactionType")?;
    if !KINDS.iter().any(|(known, _)| *known == kind) {
        return Err("its TransactionType is not known".to_owned());
    }
    if tx.need::<String>("Destination")? != account {
        return Err("its Destination is no account".to_owned());
    }
    let drops = delivered(tx, meta)?;
    if drops == 0 {
        let is_empty = tx.is("TransactionType", |kind| kind == "AccountDelete");
        return if is_empty { Ok(None) } else { Err("it delivered nothing".to_owned()) };
    }
    let amount = |drops: u64| Amount::from_atoms(drops.into()).map_err(|error| error.to_string());
    let from: String = tx.need("Account")?;
    account_of(&from).ok_or("its Account is no address")?;
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
        seen_at: EPOCH + u64::from(tx.need::<u32>("date")?),
        state: OutputState::Confirmed,
        uncertain: false,
    }))
}

/// Whether that is certain, whatever its other fields are.
fn brings_nothing(entry: &LedgerEntry, account: &str) -> bool {
    let delivers_nothing =
        || entry.meta().is_ok_and(|meta| matches!(meta.get::<IgnoredAny>(DELIVERED), Ok(None)));
    let is_other = |tx: &Fields| {
        tx.is("TransactionType", |kind| {
            kind == CHECK_CASH || !KINDS.iter().any(|(known, _)| *known == kind) && delivers_nothing()
        }) || tx.is("Destination", |to| account_of(to).is_some_and(|to| to != account))
            || tx.is("Account", |from| from == account)
    };
    let moves_no_xrp = |meta: &Fields| {
        meta.is("TransactionResult", |result| result.starts_with("tec"))
            || meta.object(DELIVERED).is_ok_and(|amount| is_issued(&amount))
    };
    entry.tx().is_ok_and(is_other) || entry.is_validated() == Ok(true) && entry.meta().is_ok_and(moves_no_xrp)
}

/// Not XRP, which some write as an object, too.
fn is_issued(amount: &Fields) -> bool {
    amount.is("issuer", |issuer| account_of(issuer).is_some())
        || amount.is("mpt_issuance_id", |issuance| !issuance.is_empty())
}

/// Of an address, which may have a tag.
fn account_of(text: &str) -> Option<String> {
    let address = Address::parse_with(Network::Xrp, text, &ANY_NETWORK).ok()?;
    Some(address.account().to_string())
}

/// Text. The server computes it for each answer, and cannot for partial payments before 2014. Unlike `Amount`, which is the most
/// that may arrive, it is the amount that arrived. The ledger itself has it as `DeliveredAmount`, for partial payments only.
fn delivered(tx: &Fields, meta: &Fields) -> Result<u64, String> {
    let text: String = meta.need(DELIVERED)?;
    let drops = drops(&text).ok_or_else(|| format!("its {DELIVERED} is no number of drops"))?;
    if meta.get::<String>("DeliveredAmount")?.is_some_and(|own| own != text) {
        return Err(format!("its {DELIVERED} and DeliveredAmount are not the same"));
    }
    let most = |name| self::drops(&tx.need::<String>(name).ok()?);
    if ["Amount", "DeliverMax"].into_iter().filter_map(most).any(|most| drops > most) {
        return Err(format!("its {DELIVERED} is more than its Amount"));
    }
    Ok(drops)
}

fn drops(text: &str) -> Option<u64> {
    let drops = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    drops.filter(|drops| *drops <= MOST)
}

fn tag(tx: &Fields, name: &str) -> Result<Option<String>, String> {
    Ok(tx.get::<u32>(name)?.map(|tag| tag.to_string()))
}
