//! A row of `payouts`.

use checkout_core::{Pair, pair};
use checkout_domain::chain::payout::{Payout, Progress, Purpose, Sequence, Signed};
use checkout_domain::ports::Stored;

use crate::Transaction;
use crate::statements::columns::columns;
use crate::statements::row::{Row, bad};

pub(crate) const PURPOSES: [(Purpose, &str); 3] = [
    (Purpose::Refund, "REFUND"),
    (Purpose::Withdrawal, "WITHDRAWAL"),
    (Purpose::MerchantRefund, "MERCHANT_REFUND"),
];

columns! {
    "payouts": payout: Payout, from row;
    fields {
        Key id = payout.id => parsed;
        Once business = payout.business => parsed;
        Once purpose as "kind" = word(payout.purpose) => word(purpose);
        Once amount = payout.amount.atoms().to_string() => atoms;
        Once to as "to_address" = &payout.to => text;
        Once tag = &payout.tag => optional_text;
        Once progress as "state" = payout.progress.as_str() => word(Progress::known);
        Once claimed = payout.claimed => flag;
        Once created_at = payout.created_at => number;
    }
    columns {
        Once "currency" = payout.pair.currency.code();
        Once "network" = payout.pair.network.code();
    }
    others {
        pair = pair(row)?;
        signed = signed(row)?;
    }
}

pub(crate) async fn insert(connection: &mut Transaction, payout: &Payout) -> Stored<()> {
    COLUMNS.insert([], payout, String::new).run(connection).await
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

fn signed(row: &Row) -> Stored<Option<Signed>> {
    Ok(match (row.optional_text("transaction_id")?, row.optional_text("bytes")?) {
        (Some(transaction_id), Some(bytes)) => {
            let bytes = hex::decode(&bytes).map_err(|_| bad("bytes"))?;
            Some(Signed { transaction_id, bytes, sequence: sequence(row)? })
        }
        _ => None,
    })
}

pub(crate) fn sequence(row: &Row) -> Stored<Option<Sequence>> {
    Ok(match (row.optional_text("account")?, row.optional_number("sequence")?) {
        (Some(account), Some(number)) => Some(Sequence { account, number }),
        _ => None,
    })
}
