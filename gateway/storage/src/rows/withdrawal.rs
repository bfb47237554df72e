//! A row of `withdrawals`.

use checkout_domain::ids::BusinessId;
use checkout_domain::ledger::money::Money;
use checkout_domain::ports::Stored;
use checkout_domain::rates::asset::Asset;
use checkout_domain::withdrawal::approved::Approved;
use checkout_domain::withdrawal::rules::Approval;
use checkout_domain::withdrawal::{Refunded, Withdrawal};
use checkout_wire::create_withdrawal::{TargetPolicy, WithdrawalAccount, WithdrawalStatus};
use uuid::Uuid;

use super::flag;
use crate::statements::columns::columns;
use crate::statements::locks;
use crate::statements::row::Row;
use crate::{Readers, Transaction, locked, query, rows};

macro_rules! selected {
    () => {
        "SELECT withdrawals.*, payouts.amount, payouts.to_address, payouts.tag, payouts.transaction_id, payouts.created_at, payouts.why,
            refunds.of_unpaid, refunds.deposit AS claim_of, refunds.after_seq, refunds.asked_at, refunds.asked_refusal "
    };
}

/// The columns of withdrawals, their payouts and what they refund; the tables follow.
pub(crate) const SELECTED: &str = selected!();

/// Withdrawals with their payouts, and with further columns; the condition follows.
macro_rules! with_payout {
    ($rest:literal) => {
        rows::withdrawal::with_payout!("", $rest)
    };
    ($columns:literal, $rest:literal) => {
        concat!(
            rows::withdrawal::selected!(),
            $columns,
            " FROM withdrawals JOIN payouts ON payouts.id = withdrawals.id LEFT JOIN refunds ON refunds.id = withdrawals.id ",
            $rest
        )
    };
}

pub(crate) use {selected, with_payout};

pub(crate) async fn by_id(connection: &mut Transaction, id: Uuid) -> Stored<Option<Withdrawal>> {
    query(locked!(with_payout!("WHERE withdrawals.id = $1"), "FOR NO KEY UPDATE OF withdrawals"))
        .bind(id)
        .read_first(connection, read)
        .await
}

/// A withdrawal, or a refund of the merchant: each has ids of its own.
pub(crate) async fn by_client_id(
    connection: &mut Transaction,
    business: BusinessId,
    client_id: &str,
    is_refund: bool,
) -> Stored<Option<(Withdrawal, String)>> {
    // The caller may insert it next: the lock keeps other transactions from inserting it first.
    locks::hold_balances(connection, business).await?;
    let statement = if is_refund {
        with_payout!(
            "WHERE withdrawals.business = $1 AND client_withdrawal_id = $2 AND withdrawals.payment IS NOT NULL"
        )
    } else {
        with_payout!(
            "WHERE withdrawals.business = $1 AND client_withdrawal_id = $2 AND withdrawals.payment IS NULL"
        )
    };
    query(statement)
        .bind(business)
        .bind(client_id)
        .read_first(connection, |row| Ok((read(row)?, row.text("request_hash")?)))
        .await
}

pub(crate) async fn find(readers: &Readers, id: Uuid) -> Stored<Option<Withdrawal>> {
    let found = query(with_payout!("WHERE withdrawals.id = $1 AND withdrawals.payment IS NULL"));
    found.bind(id).read_first(readers, read).await
}

/// Returns the newest withdrawals, newest first.
pub(crate) async fn newest(readers: &Readers, limit: u32) -> Stored<Vec<Withdrawal>> {
    let newest =
        query(with_payout!("WHERE withdrawals.payment IS NULL ORDER BY withdrawals.id DESC LIMIT $1"));
    newest.bind(limit).read_all(readers, read).await
}

/// Those that wait for an operator's approval.
pub(crate) async fn unapproved(readers: &Readers) -> Stored<Vec<Withdrawal>> {
    let waiting = with_payout!("WHERE approval = 'WAITING' AND state = 'WAITING' ORDER BY withdrawals.id");
    query(waiting).read_all(readers, read).await
}

/// What is reserved for payouts that are not signed. One that may have been sent before a restore, or cannot be read, is left out: what is
/// reserved for it is no cover.
pub(crate) async fn unsigned(connection: &mut Transaction, business: BusinessId) -> Stored<Vec<Withdrawal>> {
    let unsigned = with_payout!(
        "WHERE payouts.business = $1 AND payouts.state IN ('UNADDRESSED', 'WAITING') AND payouts.hold IS NULL"
    );
    let rows: Vec<_> = query(unsigned).bind(business).read_all(connection, |row| Ok(read(row).ok())).await?;
    Ok(rows.into_iter().flatten().collect())
}

/// A withdrawal, or a refund of a merchant.
pub(crate) async fn charged(readers: &Readers, id: Uuid) -> Stored<Option<Withdrawal>> {
    query(with_payout!("WHERE withdrawals.id = $1")).bind(id).read_first(readers, read).await
}

/// All that wait because their network asks more than their fee.
pub(crate) async fn above_fee(readers: &Readers) -> Stored<Vec<Withdrawal>> {
    let waiting = with_payout!("WHERE asked_fee IS NOT NULL AND state = 'WAITING' ORDER BY withdrawals.id");
    query(waiting).read_all(readers, read).await
}

columns! {
    /// Withdrawals are read with their payouts.
    "withdrawals": withdrawal: Withdrawal, from row;
    given {
        Once "request_hash";
    }
    fields {
        Key id = withdrawal.id => parsed;
        Once business = withdrawal.business => parsed;
        Once client_withdrawal_id = &withdrawal.client_withdrawal_id => text;
        Once recipient = &withdrawal.recipient => text;
        Once policy = withdrawal.policy.as_str() => word(TargetPolicy::known);
        Once account = withdrawal.account.as_str() => word(WithdrawalAccount::known);
        Once initiated_by = &withdrawal.initiated_by => text;
        Once initiator = withdrawal.initiator.as_ref().map(ToString::to_string) => optional_parsed;
        Changes status = withdrawal.status.as_str() => word(WithdrawalStatus::known);
        Once fee = withdrawal.fee.atoms().to_string() => atoms;
        Once display_currency = withdrawal.display_currency.code() => parsed;
        Once display_amount = withdrawal.display_amount.to_string() => decimal;
        Once display_fee = withdrawal.display_fee.to_string() => decimal;
        Once display_service_fee = withdrawal.display_service_fee.to_string() => decimal;
        Once uniform_amount = withdrawal.uniform_amount.to_string() => decimal;
        Once uniform_service_fee = withdrawal.uniform_service_fee.to_string() => decimal;
    }
    columns {
        Once "currency" = withdrawal.pair.currency.code();
        Once "network" = withdrawal.pair.network.code();
        Once "settlement_asset" = withdrawal.deducted.asset.code();
        Once "deducted" = withdrawal.deducted.units.to_string();
        Once "service_fee" = withdrawal.service_fee.units.to_string();
        Once "payment" = withdrawal.payment();
        Later "owner_name" = withdrawal.owner.as_ref().map(|owner| &owner.name);
        Later "screened_at" = withdrawal.screened_at;
        Later "owner_category" = withdrawal.owner.as_ref().map(|owner| &owner.category);
    }
    others {
        pair = rows::payout::pair(row)?;
        to = row.text("to_address")?;
        tag = row.optional_text("tag")?;
        amount = row.atoms("amount")?;
        deducted = money(row, "deducted")?;
        service_fee = money(row, "service_fee")?;
        owner = flag::owner(row)?;
        screened_at = row.optional_number("screened_at")?;
        transaction_id = row.optional_text("transaction_id")?;
        created_at = row.number("created_at")?;
        approval = row.optional_text("approval")?.as_deref().and_then(Approval::known);
        approved = approved(row)?;
        refunds = refunded(row)?;
        asked_fee = row.optional_atoms("asked_fee")?;
        why = rows::payout::why(row)?;
    }
}

fn approved(row: &Row) -> Stored<Option<Approved>> {
    let Some(address) = row.optional_text("approved_address")? else { return Ok(None) };
    let (tag, amount) = (row.optional_text("approved_tag")?, row.atoms("approved_amount")?);
    Ok(Some(Approved { address, tag, amount }))
}

fn refunded(row: &Row) -> Stored<Option<Refunded>> {
    let Some(payment) = row.optional_parsed("payment")? else { return Ok(None) };
    let (of_unpaid, claim_of) = (row.flag("of_unpaid")?, row.optional_parsed("claim_of")?);
    let after = row.optional_number("after_seq")?;
    Ok(Some(Refunded { payment, of_unpaid, claim_of, after }))
}

fn money(row: &Row, column: &str) -> Stored<Money> {
    let asset = row.word("settlement_asset", Asset::known)?;
    Ok(Money { asset, units: row.parsed(column)? })
}

pub(crate) async fn insert(
    connection: &mut Transaction,
    withdrawal: &Withdrawal,
    request_hash: &str,
) -> Stored<bool> {
    // Two indexes make the ids of withdrawals and those of refunds unique.
    let end = || "ON CONFLICT DO NOTHING".to_owned();
    let is_new = COLUMNS.insert([request_hash.into()], withdrawal, end).changed(&mut *connection).await?;
    if let Some(payment) = withdrawal.payment().filter(|_| is_new) {
        rows::refund::insert_charged(connection, payment, withdrawal).await?;
    }
    Ok(is_new)
}

pub(crate) async fn update(connection: &mut Transaction, withdrawal: &Withdrawal) -> Stored<()> {
    COLUMNS.update([withdrawal].into_iter()).run(&mut *connection).await?;
    rows::refund::follow_charge(connection, withdrawal.id).await
}
