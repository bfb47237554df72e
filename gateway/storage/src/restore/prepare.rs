//! The steps that make a restored database usable, in one change, and the marks of one that is not.

use std::collections::BTreeSet;

use checkout_core::chain::CHAINS;
use checkout_domain::chain::address_space::networks_of_account;
use checkout_domain::chain::payout::hold::{RESTORED_AT, restored_sequence, restored_signed};
use checkout_domain::fail_point;
use checkout_domain::ports::Stored;
use checkout_domain::ports::settings::SettingStore as _;

use super::identity;
use crate::{Database, Transaction, query};

/// The setting of a database that is not prepared: since when, in seconds. Each backup has it.
pub(super) const UNPREPARED: &str = "unprepared_since";

/// Why a database must not be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprepared {
    /// It is a backup, or a restore of it was interrupted or failed.
    Backup,
    /// It was used as another database of PostgreSQL: it was dumped and restored, copied or renamed.
    Elsewhere,
}

impl Database {
    /// Why the database must not be served. Remembers where a new one is.
    pub async fn unprepared(&self) -> Stored<Option<Unprepared>> {
        if self.setting(UNPREPARED).await?.is_some() {
            return Ok(Some(Unprepared::Backup));
        }
        let Some(here) = identity::of(&self.readers).await? else { return Ok(None) };
        let mut change = self.change().await?;
        let known = identity::remember(&mut change, &here).await?;
        change.commit().await?;
        Ok((known != here).then_some(Unprepared::Elsewhere))
    }

    /// Refuses gateways until the database is [prepared](Self::prepare).
    pub async fn mark_unprepared(&self, now: u64) -> Stored<()> {
        let mut change = self.change().await?;
        put(&mut change, UNPREPARED, &now.to_string()).await?;
        change.commit().await
    }

    /// Makes the database ready for a gateway: holds payouts that are not signed until they were compared with the
    /// chain, opens decisions about untagged transfers again that were not carried out, and skips the next `addresses` of every
    /// network, which may have been given out after the backup.
    /// Returns how many payouts are held.
    pub async fn prepare(&self, now: u64, addresses: u32) -> Stored<u64> {
        let here = identity::of(&self.readers).await?;
        let mut change = self.change().await?;
        let held = hold_unsigned(&mut change, now).await?;
        reopen_untagged(&mut change).await?;
        skip_addresses(&mut change, addresses).await?;
        if let Some(here) = here {
            put(&mut change, identity::HOME, &here).await?;
        }
        query("DELETE FROM settings WHERE key = $1").bind(UNPREPARED).execute(&mut change).await?;
        fail_point::reach("restore");
        change.commit().await?;
        fail_point::reach("restore");
        Ok(held)
    }
}

async fn skip_addresses(change: &mut Transaction, count: u32) -> Stored<()> {
    let accounts =
        CHAINS.iter().map(|row| networks_of_account(row.network).iter().min().unwrap_or(&row.network));
    for network in accounts.collect::<BTreeSet<_>>() {
        query(
            "INSERT INTO address_indexes (network, next) VALUES ($1, $2)
             ON CONFLICT (network) DO UPDATE SET next = address_indexes.next + excluded.next",
        )
        .bind(network.code())
        .bind(count)
        .execute(&mut *change)
        .await?;
    }
    Ok(())
}

/// Why a refund without an address is held: the chain cannot be asked for it.
const UNADDRESSED: &str = "it may have got an address after the backup, and been sent there";

/// A decision that was not carried out yet may have been taken back after the backup.
async fn reopen_untagged(change: &mut Transaction) -> Stored<()> {
    query(
        "UPDATE untagged_transfers
         SET state = 'OPEN', payment = NULL, failure = 'the database was restored before it was carried out'
         WHERE state = 'CREDITING'",
    )
    .execute(change)
    .await?;
    Ok(())
}

async fn hold_unsigned(change: &mut Transaction, now: u64) -> Stored<u64> {
    let held = query(
        "UPDATE payouts SET revision = revision + 1,
             hold = CASE WHEN state = 'UNADDRESSED' OR hold = 'HELD' THEN 'HELD' ELSE 'UNASKED' END,
             hold_reason = CASE WHEN state = 'UNADDRESSED' THEN $1 WHEN hold = 'HELD' THEN hold_reason END
         WHERE state IN ('WAITING', 'UNADDRESSED') AND COALESCE(hold, '') <> 'SENT_BY'",
    )
    .bind(UNADDRESSED)
    .execute(&mut *change)
    .await?;
    let at = now.max(newest(change).await?);
    put(change, RESTORED_AT, &at.to_string()).await?;
    keep_numbers(change).await?;
    Ok(held)
}

/// What the backup has is of before the restore, also if the clock of the lost gateway was ahead.
async fn newest(change: &mut Transaction) -> Stored<u64> {
    let newest = query(
        "SELECT MAX(at) AS at FROM (
             SELECT MAX(initiated_at) AS at FROM payments UNION ALL SELECT MAX(created_at) AS at FROM payouts
         ) AS stored",
    );
    Ok(newest.fetch_one(change).await?.optional_number("at")?.unwrap_or(0))
}

/// Of a payout that is only signed it is not known whether it used its number.
async fn keep_numbers(change: &mut Transaction) -> Stored<()> {
    let numbers = query(
        "SELECT network, account, MAX(sequence) AS highest,
             MIN(CASE WHEN state = 'SIGNED' THEN sequence END) AS first_signed,
             MAX(CASE WHEN state = 'SIGNED' THEN sequence END) AS last_signed
         FROM payouts WHERE sequence IS NOT NULL GROUP BY network, account",
    );
    for row in numbers.fetch_all(&mut *change).await? {
        let (network, account) = (row.parsed("network")?, row.text("account")?);
        let known = match row.optional_number::<u64>("first_signed")? {
            Some(first) => first.checked_sub(1),
            None => Some(row.number("highest")?),
        };
        let signed = row.optional_number::<u64>("last_signed")?;
        for (key, number) in
            [(restored_sequence(network, &account), known), (restored_signed(network, &account), signed)]
        {
            put(change, &key, &number.map_or_else(String::new, |number| number.to_string())).await?;
        }
    }
    Ok(())
}

pub(super) async fn put(change: &mut Transaction, key: &str, value: &str) -> Stored<()> {
    query(
        "INSERT INTO settings (key, value) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )
    .bind(key)
    .bind(value)
    .run(change)
    .await
}
