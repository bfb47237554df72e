//! A row of `payouts`.

use checkout_core::{Pair, pair};
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::state::{PayoutState, Progress, Versions};
use checkout_domain::chain::payout::{Payout, Purpose, Sequence, Signed};
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::may_leave::Why;

use crate::statements::columns::columns;
use crate::statements::locks;
use crate::statements::row::{Row, bad};
use crate::{Transaction, Value, query, query_rows, rows};

pub(crate) const PURPOSES: [(Purpose, &str); 3] = [
    (Purpose::Refund, "REFUND"),
    (Purpose::Withdrawal, "WITHDRAWAL"),
    (Purpose::MerchantRefund, "MERCHANT_REFUND"),
];

/// Payouts with their transactions; the condition follows.
macro_rules! selected {
    ($rest:literal) => {
        concat!(
            "SELECT payouts.*, (
                 SELECT string_agg(version.transaction_id || ' ' || version.bytes, ' ' ORDER BY number)
                 FROM payout_versions AS version WHERE version.payout = payouts.id
             ) AS versions
             FROM payouts ",
            $rest
        )
    };
}
pub(crate) use selected;

columns! {
    "payouts": payout: Payout, from row;
    fields {
        Key id = payout.id => parsed;
        Once business = payout.business => parsed;
        Once purpose as "kind" = word(payout.purpose) => word(purpose);
        Once amount = payout.amount.atoms().to_string() => atoms;
        Once to as "to_address" = &payout.to => text;
        Once tag = &payout.tag => optional_text;
        Once claimed = payout.claimed => flag;
        Once created_at = payout.created_at => number;
        Once revision = payout.revision => number;
    }
    columns {
        Once "state" = payout.state.word().as_str();
        Once "currency" = payout.pair.currency.code();
        Once "network" = payout.pair.network.code();
    }
    others {
        pair = pair(row)?;
        state = state(row)?;
        hold = hold(row)?;
        why = why(row)?;
    }
}

/// One that is new: nothing was signed for it.
pub(crate) async fn insert(connection: &mut Transaction, payout: &Payout) -> Stored<()> {
    COLUMNS.insert([], payout, String::new).run(connection).await
}

macro_rules! update {
    ($facts:literal, $condition:literal) => {
        concat!(
            "UPDATE payouts SET revision = revision + 1, amount = $3, to_address = $4, tag = $5, state = $6, hold = $7,
                 hold_reason = $8, hold_transaction = $9, why = CASE WHEN state = $6 THEN why END",
            $facts,
            " WHERE id = $1 AND revision = $2",
            $condition
        )
    };
}

/// Returns false, without a change, if the row has another revision, or another payout has the number.
pub(crate) async fn save(connection: &mut Transaction, payout: &Payout) -> Stored<bool> {
    let of = |statement: &'static str| {
        let (hold, why, transaction) = hold_columns(&payout.hold);
        let statement = query(statement).bind(payout.id).bind(payout.revision);
        let statement = statement.bind(payout.amount.atoms().to_string()).bind(&payout.to).bind(&payout.tag);
        statement.bind(payout.state.word().as_str()).bind(hold).bind(why).bind(transaction)
    };
    let open = |versions: Option<&Versions>, shown: Option<&Signed>, confirmed_at: Option<u64>| {
        let sequence = shown.and_then(|signed| signed.sequence.as_ref());
        of(update!(
            ", transaction_id = $10, bytes = $11, account = $12, sequence = $13, pending_since = $14, capped_at = $15,
                 confirmed_at = $16",
            " AND NOT EXISTS (
                 SELECT 1 FROM payouts AS others
                 WHERE others.network = payouts.network AND others.account = $12 AND others.sequence = $13
                     AND others.state <> 'FAILED' AND others.id <> payouts.id
             )"
        ))
        .bind(shown.map(|signed| &signed.transaction_id))
        .bind(shown.map(|signed| hex::encode(&signed.bytes)))
        .bind(sequence.map(|sequence| &sequence.account))
        .bind(sequence.map(|sequence| sequence.number))
        .bind(versions.map(|versions| versions.pending_since))
        .bind(versions.and_then(|versions| versions.capped_at))
        .bind(confirmed_at)
    };
    let statement = match &payout.state {
        PayoutState::Unaddressed | PayoutState::Waiting => open(None, None, None),
        PayoutState::Signed(versions) => {
            if let Some(Sequence { account, .. }) = &versions.first.sequence {
                locks::lock(connection, "sequence", account).await?;
            }
            open(Some(versions), Some(&versions.first), None)
        }
        PayoutState::Sent { versions, shown } => open(Some(versions), Some(shown), None),
        PayoutState::Confirmed { versions, by, at } => open(Some(versions), Some(by), Some(*at)),
        PayoutState::Final { transaction_id, at } => {
            of(update!(", transaction_id = $10, confirmed_at = $11", "")).bind(transaction_id).bind(*at)
        }
        PayoutState::Cancelled | PayoutState::Failed | PayoutState::Reverted => of(update!("", "")),
    };
    if !statement.changed(&mut *connection).await? {
        return Ok(false);
    }
    rows::refund::follow(connection, payout).await?;
    match &payout.state {
        // Its transactions of before are none any more.
        PayoutState::Waiting => {
            query("DELETE FROM payout_versions WHERE payout = $1").bind(payout.id).run(connection).await?;
        }
        state => {
            if let Some(versions) = state.versions().filter(|versions| !versions.later.is_empty()) {
                add_versions(connection, payout, versions).await?;
            }
        }
    }
    Ok(true)
}

/// A payout that was never replaced has no rows in `payout_versions`.
async fn add_versions(connection: &mut Transaction, payout: &Payout, versions: &Versions) -> Stored<()> {
    let row = |(signed, number): (&Signed, u64)| -> Vec<Value> {
        let bytes = hex::encode(&signed.bytes);
        vec![payout.id.into(), number.into(), (&signed.transaction_id).into(), bytes.into()]
    };
    let text = |new: &str| {
        format!(
            "INSERT INTO payout_versions (payout, number, transaction_id, bytes)
             SELECT * FROM {new} WHERE TRUE ON CONFLICT DO NOTHING"
        )
    };
    query_rows(Vec::new(), versions.all().zip(1_u64..).map(row).collect(), text).run(connection).await
}

fn word(purpose: Purpose) -> Option<&'static str> {
    PURPOSES.iter().find(|(known, _)| *known == purpose).map(|(_, word)| *word)
}

fn purpose(word: &str) -> Option<Purpose> {
    PURPOSES.iter().find(|(_, known)| *known == word).map(|(purpose, _)| *purpose)
}

pub(crate) fn pair(row: &Row) -> Stored<&'static Pair> {
    let (currency, network) = (row.parsed("currency")?, row.parsed("network")?);
    pair::find(currency, network).ok_or_else(|| bad("network"))
}

fn state(row: &Row) -> Stored<PayoutState> {
    Ok(match row.word("state", Progress::known)? {
        Progress::Unaddressed => PayoutState::Unaddressed,
        Progress::Waiting => PayoutState::Waiting,
        Progress::Signed => PayoutState::Signed(versions(row)?),
        Progress::Sent => PayoutState::Sent { versions: versions(row)?, shown: shown(row)? },
        Progress::Confirmed => PayoutState::Confirmed {
            versions: versions(row)?,
            by: shown(row)?,
            at: row.number("confirmed_at")?,
        },
        Progress::Final => {
            // Missing in one that an older version stored as final.
            let at = row.optional_number("confirmed_at")?;
            let at = at.map_or_else(|| row.number("created_at"), Ok)?;
            PayoutState::Final { transaction_id: row.text("transaction_id")?, at }
        }
        Progress::Cancelled => PayoutState::Cancelled,
        Progress::Failed => PayoutState::Failed,
        Progress::Reverted => PayoutState::Reverted,
    })
}

/// What the merchant was told: the first that the network took, or the one that confirmed.
fn shown(row: &Row) -> Stored<Signed> {
    signed(row, &row.text("transaction_id")?, &row.text("bytes")?)
}

fn versions(row: &Row) -> Stored<Versions> {
    let listed = row.optional_text("versions")?.unwrap_or_default();
    let words: Vec<&str> = listed.split_ascii_whitespace().collect();
    let mut all = words.chunks_exact(2).map(|words| signed(row, words[0], words[1]));
    let (first, later) = match all.next() {
        Some(first) => (first?, all.collect::<Stored<_>>()?),
        None => (shown(row)?, Vec::new()),
    };
    let pending_since = row.optional_number("pending_since")?;
    let pending_since = pending_since.map_or_else(|| row.number("created_at"), Ok)?;
    Ok(Versions { first, later, pending_since, capped_at: row.optional_number("capped_at")? })
}

fn signed(row: &Row, transaction_id: &str, bytes: &str) -> Stored<Signed> {
    let bytes = hex::decode(bytes).map_err(|_| bad("bytes"))?;
    let sequence = match (row.optional_text("account")?, row.optional_number("sequence")?) {
        (Some(account), Some(number)) => Some(Sequence { account, number }),
        _ => None,
    };
    Ok(Signed { transaction_id: transaction_id.to_owned(), bytes, sequence })
}

/// What another version knows is not said.
pub(crate) fn why(row: &Row) -> Stored<Option<Why>> {
    Ok(row.optional_text("why")?.as_deref().and_then(Why::known))
}

fn hold(row: &Row) -> Stored<Hold> {
    let why = || row.text("hold_reason");
    Ok(match row.optional_text("hold")?.as_deref() {
        None => Hold::Free,
        Some("UNASKED") => Hold::Unasked,
        Some("HELD") => Hold::Held { why: why()? },
        Some("CLEARED") => Hold::Cleared,
        Some("RELEASED") => Hold::Released { why: why()? },
        Some("SENT_BY") => Hold::SentBy {
            transaction: row.text("hold_transaction")?,
            // An older version noted none for what was decided before the chain was asked.
            why: row.optional_text("hold_reason")?.unwrap_or_default(),
        },
        Some(_) => return Err(bad("hold")),
    })
}

fn hold_columns(hold: &Hold) -> (Option<&str>, Option<&String>, Option<&String>) {
    match hold {
        Hold::Free => (None, None, None),
        Hold::Unasked => (Some("UNASKED"), None, None),
        Hold::Held { why } => (Some("HELD"), Some(why), None),
        Hold::Cleared => (Some("CLEARED"), None, None),
        Hold::Released { why } => (Some("RELEASED"), Some(why), None),
        Hold::SentBy { transaction, why } => (Some("SENT_BY"), Some(why), Some(transaction)),
    }
}
