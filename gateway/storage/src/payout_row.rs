//! A row of `payouts`.

use checkout_core::pair;
use checkout_domain::chain::payout::{Payout, Progress, Purpose, Sequence, Signed};
use checkout_domain::ports::Stored;

use super::row::{Row, bad};

pub(super) const PURPOSES: [(Purpose, &str); 2] =
    [(Purpose::Refund, "REFUND"), (Purpose::Withdrawal, "WITHDRAWAL")];

pub(super) fn read(row: &Row) -> Stored<Payout> {
    let (currency, network) = (row.parsed("currency")?, row.parsed("network")?);
    let signed = match (row.optional_text("transaction_id")?, row.optional_text("bytes")?) {
        (Some(transaction_id), Some(bytes)) => {
            let bytes = hex::decode(&bytes).map_err(|_| bad("bytes"))?;
            Some(Signed { transaction_id, bytes, sequence: sequence(row)? })
        }
        _ => None,
    };
    Ok(Payout {
        id: row.parsed("id")?,
        business: row.parsed("business")?,
        purpose: row
            .word("kind", |word| PURPOSES.iter().find(|(_, known)| *known == word).map(|(p, _)| *p))?,
        pair: pair::find(currency, network).ok_or_else(|| bad("network"))?,
        amount: row.atoms("amount")?,
        to: row.text("to_address")?,
        tag: row.optional_text("tag")?,
        progress: row.word("state", Progress::known)?,
        signed,
        claimed: row.flag("claimed")?,
        created_at: row.number("created_at")?,
    })
}

pub(super) fn sequence(row: &Row) -> Stored<Option<Sequence>> {
    Ok(match (row.optional_text("account")?, row.optional_number("sequence")?) {
        (Some(account), Some(number)) => Some(Sequence { account, number }),
        _ => None,
    })
}
