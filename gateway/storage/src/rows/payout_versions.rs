//! The transactions of a payout, of which one replaces another.

use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::Stored;
use checkout_domain::ports::payouts::Versions;
use uuid::Uuid;

use crate::statements::row::{Row, bad};
use crate::{Readers, Transaction, locked, query, rows};

/// A payout that was never replaced has no rows in `payout_versions`.
macro_rules! with_versions {
    ($rest:literal) => {
        concat!(
            "SELECT payouts.*, COALESCE(version.transaction_id, payouts.transaction_id) AS version_id,
                 COALESCE(version.bytes, payouts.bytes) AS version_bytes,
                 COALESCE(pending_since, created_at) AS waits_since
             FROM payouts LEFT JOIN payout_versions AS version ON version.payout = payouts.id ",
            $rest
        )
    };
}

pub(crate) async fn of_payout(readers: &Readers, payout: Uuid) -> Stored<Versions> {
    let rows = query(with_versions!("WHERE payouts.id = $1 AND payouts.bytes IS NOT NULL ORDER BY number"))
        .bind(payout)
        .fetch_all(readers)
        .await?;
    let Some(first) = rows.first() else {
        return Ok(Versions { all: Vec::new(), pending_since: 0, capped_at: None });
    };
    let all = rows.iter().map(signed).collect::<Stored<_>>()?;
    Ok(Versions { all, ..empty(first)? })
}

pub(crate) async fn pending(readers: &Readers) -> Stored<Vec<(Payout, Versions)>> {
    let rows = query(with_versions!("WHERE state IN ('SIGNED', 'SENT') ORDER BY payouts.id, number"))
        .fetch_all(readers)
        .await?;
    let mut found: Vec<(Payout, Versions)> = Vec::new();
    for row in &rows {
        let payout = rows::payout::read(row)?;
        if found.last().is_none_or(|(last, _)| last.id != payout.id) {
            found.push((payout, empty(row)?));
        }
        if let Some((_, versions)) = found.last_mut() {
            versions.all.push(signed(row)?);
        }
    }
    Ok(found)
}

fn empty(row: &Row) -> Stored<Versions> {
    Ok(Versions {
        all: Vec::new(),
        pending_since: row.number("waits_since")?,
        capped_at: row.optional_number("capped_at")?,
    })
}

fn signed(row: &Row) -> Stored<Signed> {
    let bytes = hex::decode(row.text("version_bytes")?).map_err(|_| bad("bytes"))?;
    Ok(Signed { transaction_id: row.text("version_id")?, bytes, sequence: rows::payout::sequence(row)? })
}

pub(crate) async fn add(
    connection: &mut Transaction,
    payout: Uuid,
    newest: &Signed,
    replacement: &Signed,
    now: u64,
) -> Stored<bool> {
    // Of two processes that read the same newest transaction, one adds a version.
    let open =
        locked!("SELECT id FROM payouts WHERE id = $1 AND state IN ('SIGNED', 'SENT')", "FOR NO KEY UPDATE");
    if !query(open).bind(payout).finds(&mut *connection).await? {
        return Ok(false);
    }
    let known = query(with_versions!("WHERE payouts.id = $1 ORDER BY number DESC LIMIT 1"))
        .bind(payout)
        .fetch_one(&mut *connection)
        .await?;
    if known.text("version_id")? != newest.transaction_id {
        return Ok(false);
    }
    query("UPDATE payouts SET pending_since = $2, capped_at = NULL WHERE id = $1")
        .bind(payout)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    query(
        "INSERT INTO payout_versions (payout, number, transaction_id, bytes)
         SELECT id, 1, transaction_id, bytes FROM payouts WHERE id = $1
         ON CONFLICT (payout, number) DO NOTHING",
    )
    .bind(payout)
    .execute(&mut *connection)
    .await?;
    let added = query(
        "INSERT INTO payout_versions (payout, number, transaction_id, bytes)
         SELECT $1, MAX(number) + 1, $2, $3 FROM payout_versions WHERE payout = $1",
    )
    .bind(payout)
    .bind(&replacement.transaction_id)
    .bind(hex::encode(&replacement.bytes))
    .execute(connection)
    .await?;
    Ok(added == 1)
}

pub(crate) async fn forget(connection: &mut Transaction, payout: Uuid) -> Stored<()> {
    query("DELETE FROM payout_versions WHERE payout = $1").bind(payout).run(connection).await
}
