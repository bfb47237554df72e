//! Extracts deposits from operations of an account.

mod memo;

use checkout_chain_http::Fields;
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use stellar_strkey::Strkey;
use stellar_strkey::ed25519::PublicKey;

use self::memo::memo;
use crate::DECIMALS;
use crate::answers::{number, seconds};
use crate::operation::{Operation, muxed_id};

/// `amount` and `asset_type` of a path payment are what arrives; the sent amount has fields of its own.
const PAYMENTS: [&str; 4] =
    ["payment", "path_payment", "path_payment_strict_receive", "path_payment_strict_send"];

/// Bring nothing that is a deposit.
const OTHERS: [&str; 23] = [
    "manage_offer",
    "manage_sell_offer",
    "manage_buy_offer",
    "create_passive_offer",
    "create_passive_sell_offer",
    "set_options",
    "change_trust",
    "allow_trust",
    "inflation",
    "manage_data",
    "bump_sequence",
    "create_claimable_balance",
    "claim_claimable_balance",
    "begin_sponsoring_future_reserves",
    "end_sponsoring_future_reserves",
    "revoke_sponsorship",
    "clawback",
    "clawback_claimable_balance",
    "set_trust_line_flags",
    "liquidity_pool_deposit",
    "liquidity_pool_withdraw",
    "extend_footprint_ttl",
    "restore_footprint",
];

const OTHER_ASSETS: [&str; 3] = ["credit_alphanum4", "credit_alphanum12", "liquidity_pool_shares"];

/// XLM that the account received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// `None` if the operation does not state it: the whole balance of a merged account.
    amount: Option<String>,
    from: String,
    from_muxed_id: Option<String>,
    muxed_id: Option<String>,
    /// Index among the credits of its operation.
    place: u32,
}

/// By their parts.
pub type Credits = Vec<(String, Result<Credit, String>)>;

/// Where an operation of a kind says what it brings.
struct Names {
    to: &'static str,
    to_muxed_id: &'static str,
    from: &'static str,
    from_muxed_id: &'static str,
    amount: Option<&'static str>,
}

fn names(kind: &str) -> Option<Names> {
    let names = |to, to_muxed_id, from, from_muxed_id, amount| {
        Some(Names { to, to_muxed_id, from, from_muxed_id, amount })
    };
    match kind {
        "create_account" => names("account", "", "funder", "funder_muxed_id", Some("starting_balance")),
        "account_merge" => names("into", "into_muxed_id", "account", "account_muxed_id", None),
        kind if PAYMENTS.contains(&kind) => {
            names("to", "to_muxed_id", "from", "from_muxed_id", Some("amount"))
        }
        _ => None,
    }
}

/// The transfers of a contract.
const CHANGES: &str = "asset_balance_changes";

/// The accounts that an operation pays, each once, as far as they can be read.
pub fn recipients(operation: &Operation) -> Vec<String> {
    let fields = &operation.0;
    let changes: Vec<Box<RawValue>> = fields.need(CHANGES).unwrap_or_default();
    let changes = changes.iter().filter_map(|change| Fields::of(change).ok()?.need("to").ok());
    let named = ["to", "account", "into"].into_iter().filter_map(|name| fields.need(name).ok());
    let mut all: Vec<String> = named.chain(changes).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What an operation brings, by its part, which has no name if there is one only. Empty if the account receives no XLM; an error says
/// why that cannot be told, or how much.
pub fn credits(operation: &Operation, account: &str) -> Credits {
    let fields = &operation.0;
    if fields.need("transaction_successful") == Ok(false) {
        return Vec::new();
    }
    let whole = |why: String| vec![(String::new(), Err(why))];
    let kind = match fields.need::<String>("type") {
        Ok(kind) => kind,
        Err(why) => return whole(why),
    };
    if OTHERS.contains(&kind.as_str()) {
        return Vec::new();
    }
    if kind == "invoke_host_function" {
        return match fields.need::<Vec<Box<RawValue>>>(CHANGES) {
            Ok(changes) => moved(&changes, account),
            Err(why) => whole(why),
        };
    }
    let Some(names) = names(&kind) else { return whole("its type is not known".to_owned()) };
    let has_asset = PAYMENTS.contains(&kind.as_str());
    let is_other = fields.is(names.to, |to| is_another(to, account))
        || fields.is(names.from, |from| from == account)
        || has_asset && fields.is("asset_type", |asset| OTHER_ASSETS.contains(&asset));
    if is_other {
        return Vec::new();
    }
    let credit = || {
        is_to(fields, names.to, account)?;
        if has_asset {
            is_native(fields)?;
        }
        Ok(Credit {
            amount: names.amount.map(|name| fields.need(name)).transpose()?,
            from: sender(fields, names.from)?,
            from_muxed_id: muxed_id(fields, names.from_muxed_id)?,
            muxed_id: muxed_id(fields, names.to_muxed_id)?,
            place: 0,
        })
    };
    vec![(String::new(), credit())]
}

fn moved(changes: &[Box<RawValue>], account: &str) -> Credits {
    let credit = |place: u32, fields: &Fields| {
        let is_other = fields.is("type", |kind| ["mint", "burn", "clawback"].contains(&kind))
            || fields.is("asset_type", |asset| OTHER_ASSETS.contains(&asset))
            || fields.is("to", |to| is_another(to, account))
            || fields.is("from", |from| from == account);
        if is_other {
            return Ok(None);
        }
        if !fields.is("type", |kind| kind == "transfer") {
            return Err("its type is not known".to_owned());
        }
        is_to(fields, "to", account)?;
        is_native(fields)?;
        Ok(Some(Credit {
            amount: Some(fields.need("amount")?),
            from: sender(fields, "from")?,
            from_muxed_id: None,
            muxed_id: muxed_id(fields, "destination_muxed_id")?,
            place,
        }))
    };
    let credit = |(place, change): (u32, &RawValue)| {
        let credit = Fields::of(change).and_then(|fields| credit(place, &fields)).transpose()?;
        Some((part_of_change(place), credit))
    };
    (0..).zip(changes.iter().map(AsRef::as_ref)).filter_map(credit).collect()
}

fn part_of_change(place: u32) -> String {
    format!("balance change {place}")
}

/// The parts of an operation that can be set aside, whomever they pay: itself, and what its contract moved.
pub fn parts_of(operation: &Operation) -> Vec<String> {
    let Some(own) = operation.part() else { return Vec::new() };
    let changes = operation.0.need::<Vec<IgnoredAny>>(CHANGES).unwrap_or_default();
    let changes = (0..).zip(changes).map(|(place, _)| format!("{own}, {}", part_of_change(place)));
    changes.chain([own.clone()]).collect()
}

/// Whether an address is certainly not of the account.
fn is_another(text: &str, account: &str) -> bool {
    match Strkey::from_string(text) {
        Ok(Strkey::MuxedAccountEd25519(muxed)) => PublicKey(muxed.ed25519).to_string().as_str() != account,
        Ok(_) => text != account,
        Err(_) => false,
    }
}

fn is_to(fields: &Fields, name: &str, account: &str) -> Result<(), String> {
    if fields.need::<String>(name)? == account { Ok(()) } else { Err(format!("its {name} is no account")) }
}

fn is_native(fields: &Fields) -> Result<(), String> {
    let issuer: Option<Option<Value>> = fields.get("asset_issuer")?;
    if fields.need::<String>("asset_type")? == "native" && issuer.flatten().is_none() {
        return Ok(());
    }
    Err("its asset is not known".to_owned())
}

/// An account or a contract.
fn sender(fields: &Fields, name: &str) -> Result<String, String> {
    let from: String = fields.need(name)?;
    let is_address = from.len() >= 56 && from.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_address { Ok(from) } else { Err(format!("its {name} is no address")) }
}

impl Credit {
    pub fn amount(&self) -> Option<&str> {
        self.amount.as_deref()
    }

    /// `None` if it is nothing.
    pub fn transfer(
        self,
        operation: &Operation,
        account: &str,
        amount: &str,
    ) -> Result<Option<Transfer>, String> {
        let fields = &operation.0;
        let transaction = fields.object("transaction")?;
        let successful: [bool; 2] = [fields.need("transaction_successful")?, transaction.need("successful")?];
        if successful != [true, true] {
            return Err("it is not known whether its transaction was successful".to_owned());
        }
        let in_transaction = operation.place().ok_or("it has no id")?;
        let place = self.place.checked_mul(1 << 12).ok_or("it has too many parts")?;
        let amount =
            Amount::parse(amount, DECIMALS).ok().filter(|amount| i64::try_from(amount.atoms()).is_ok());
        let amount = amount.ok_or("its amount is no number of XLM")?;
        if amount.is_zero() {
            let is_payment = fields.is("type", |kind| PAYMENTS.contains(&kind));
            return if is_payment { Err("it pays nothing".to_owned()) } else { Ok(None) };
        }
        // SEP-23: the id of a muxed account names its user; a memo next to it belongs to the sender.
        let tag = match self.muxed_id {
            Some(id) => Some(id),
            None => memo(&transaction)?,
        };
        let fee = number(&transaction.need::<Value>("fee_charged")?);
        let fee =
            fee.and_then(|fee| fee.parse::<u64>().ok()).and_then(|fee| Amount::from_atoms(fee.into()).ok());
        Ok(Some(Transfer {
            output: OutputId {
                network: Network::Xlm,
                transaction: operation.hash().ok_or("it has no transaction_hash")?,
                index: place | in_transaction,
            },
            currency: Currency::Xlm,
            amount,
            to: account.to_owned(),
            tag,
            from: self.from,
            from_tag: self.from_muxed_id,
            other_senders: Vec::new(),
            fee: fee.ok_or("its fee_charged is no number of stroops")?.to_text(DECIMALS),
            seen_at: seconds(&fields.need::<String>("created_at")?).ok_or("its created_at is no time")?,
            state: OutputState::Confirmed,
            uncertain: false,
        }))
    }
}
