//! A row of `withdrawals`.

use checkout_core::pair;
use checkout_core::wire::create_withdrawal::{TargetPolicy, WithdrawalAccount, WithdrawalStatus};
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::ledger::money::Money;
use checkout_domain::ports::Stored;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::Withdrawal;
use uuid::Uuid;

use super::row::{Row, bad};
use super::{Readers, Transaction, locked, locks, query};

macro_rules! columns {
    () => {
        "SELECT withdrawals.*, payouts.currency, payouts.network, payouts.amount, payouts.to_address,
             payouts.tag, payouts.transaction_id, payouts.created_at "
    };
}

/// The columns of withdrawals and their payouts; the tables follow.
pub(super) const COLUMNS: &str = columns!();

macro_rules! with_payout {
    ($rest:literal) => {
        concat!(columns!(), "FROM withdrawals JOIN payouts ON payouts.id = withdrawals.id ", $rest)
    };
}

pub(super) async fn by_id(connection: &mut Transaction, id: Uuid) -> Stored<Option<Withdrawal>> {
    let row = query(locked!(with_payout!("WHERE withdrawals.id = $1"), "FOR NO KEY UPDATE OF withdrawals"))
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.map(|row| read(&row)).transpose()
}

pub(super) async fn by_client_id(
    connection: &mut Transaction,
    business: Uuid,
    client_withdrawal_id: &str,
) -> Stored<Option<(Withdrawal, String)>> {
    // The caller may insert this withdrawal next: the lock keeps other transactions from inserting it first.
    locks::hold_balances(connection, business).await?;
    let row =
        query(with_payout!("WHERE withdrawals.business = $1 AND withdrawals.client_withdrawal_id = $2"))
            .bind(business.to_string())
            .bind(client_withdrawal_id)
            .fetch_optional(connection)
            .await?;
    row.map(|row| Ok((read(&row)?, row.text("request_hash")?))).transpose()
}

pub(super) async fn find(readers: &Readers, id: Uuid) -> Stored<Option<Withdrawal>> {
    let found = query(with_payout!("WHERE withdrawals.id = $1")).bind(id.to_string());
    found.fetch_optional(readers).await?.as_ref().map(read).transpose()
}

/// Returns the newest withdrawals, newest first.
pub(super) async fn newest(readers: &Readers, limit: u32) -> Stored<Vec<Withdrawal>> {
    let rows =
        query(with_payout!("ORDER BY withdrawals.id DESC LIMIT $1")).bind(limit).fetch_all(readers).await?;
    rows.iter().map(read).collect()
}

/// Those that wait for an operator's approval.
pub(super) async fn unapproved(readers: &Readers) -> Stored<Vec<Withdrawal>> {
    let waiting = with_payout!("WHERE approval = 'WAITING' AND state = 'WAITING' ORDER BY withdrawals.id");
    let rows = query(waiting).fetch_all(readers).await?;
    rows.iter().map(read).collect()
}

pub(super) fn read(row: &Row) -> Stored<Withdrawal> {
    let (currency, network) = (row.parsed("currency")?, row.parsed("network")?);
    let asset = row.word("settlement_asset", Asset::known)?;
    let money =
        |column: &str| row.text(column)?.parse().map(|units| Money { asset, units }).map_err(|_| bad(column));
    let owner = match (row.optional_text("owner_name")?, row.optional_text("owner_category")?) {
        (Some(name), Some(category)) => Some(AddressOwner { name, category }),
        _ => None,
    };
    Ok(Withdrawal {
        id: row.parsed("id")?,
        business: row.parsed("business")?,
        client_withdrawal_id: row.text("client_withdrawal_id")?,
        pair: pair::find(currency, network).ok_or_else(|| bad("network"))?,
        recipient: row.text("recipient")?,
        to: row.text("to_address")?,
        tag: row.optional_text("tag")?,
        policy: row.word("policy", TargetPolicy::known)?,
        account: row.word("account", WithdrawalAccount::known)?,
        initiated_by: row.text("initiated_by")?,
        status: row.word("status", WithdrawalStatus::known)?,
        amount: row.atoms("amount")?,
        fee: row.atoms("fee")?,
        display_currency: row
            .text("display_currency")?
            .parse::<Fiat>()
            .map_err(|_| bad("display_currency"))?,
        display_amount: row.decimal("display_amount")?,
        display_fee: row.decimal("display_fee")?,
        display_service_fee: row.decimal("display_service_fee")?,
        deducted: money("deducted")?,
        service_fee: money("service_fee")?,
        uniform_amount: row.decimal("uniform_amount")?,
        uniform_service_fee: row.decimal("uniform_service_fee")?,
        owner,
        transaction_id: row.optional_text("transaction_id")?,
        created_at: row.number("created_at")?,
    })
}

pub(super) async fn insert(
    connection: &mut Transaction,
    withdrawal: &Withdrawal,
    request_hash: &str,
) -> Stored<bool> {
    let done = query(
        "INSERT INTO withdrawals (id, business, client_withdrawal_id, request_hash, recipient, policy, account,
             initiated_by, status, fee, display_currency, display_amount, display_fee, display_service_fee,
             settlement_asset, deducted, service_fee, uniform_amount, uniform_service_fee)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
         ON CONFLICT (business, client_withdrawal_id) DO NOTHING",
    )
    .bind(withdrawal.id.to_string())
    .bind(withdrawal.business.to_string())
    .bind(&withdrawal.client_withdrawal_id)
    .bind(request_hash)
    .bind(&withdrawal.recipient)
    .bind(withdrawal.policy.as_str())
    .bind(withdrawal.account.as_str())
    .bind(&withdrawal.initiated_by)
    .bind(withdrawal.status.as_str())
    .bind(withdrawal.fee.atoms().to_string())
    .bind(withdrawal.display_currency.code())
    .bind(withdrawal.display_amount.to_string())
    .bind(withdrawal.display_fee.to_string())
    .bind(withdrawal.display_service_fee.to_string())
    .bind(withdrawal.deducted.asset.code())
    .bind(withdrawal.deducted.units.to_string())
    .bind(withdrawal.service_fee.units.to_string())
    .bind(withdrawal.uniform_amount.to_string())
    .bind(withdrawal.uniform_service_fee.to_string())
    .execute(connection)
    .await?;
    Ok(done == 1)
}

pub(super) async fn update(connection: &mut Transaction, withdrawal: &Withdrawal) -> Stored<()> {
    let owner = withdrawal.owner.as_ref();
    query("UPDATE withdrawals SET status = $2, owner_name = $3, owner_category = $4 WHERE id = $1")
        .bind(withdrawal.id.to_string())
        .bind(withdrawal.status.as_str())
        .bind(owner.map(|owner| &owner.name))
        .bind(owner.map(|owner| &owner.category))
        .execute(connection)
        .await?;
    Ok(())
}
