//! The port of entries that could not be read.

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::set_aside::{SetAside, SetAsideRecord, UncreditedCoins, pause};
use checkout_domain::ports::Stored;
use checkout_domain::ports::set_aside::{SetAsideStore, SetAsideTx};
use checkout_domain::ports::untagged::REPORTS;

use crate::changes::tx::SqlTx;
use crate::statements::locks;
use crate::statements::row::Row;
use crate::{Database, Query, query, query_list};

#[async_trait]
impl SetAsideStore for Database {
    async fn set_aside(&self, limit: u32) -> Stored<Vec<SetAsideRecord>> {
        let open = query(
            "SELECT * FROM set_aside WHERE state = 'OPEN' ORDER BY seen_at, network, transaction_id, part LIMIT $1",
        );
        open.bind(limit).read_all(&self.readers, record).await
    }

    async fn due_again(&self, network: Network, now: u64, limit: u32) -> Stored<Vec<SetAsideRecord>> {
        let due = query(
            "SELECT * FROM set_aside WHERE state = 'OPEN' AND network = $1 AND next_try_at <= $2
             ORDER BY next_try_at, transaction_id, part LIMIT $3",
        );
        due.bind(network.code()).bind(now).bind(limit).read_all(&self.readers, record).await
    }

    async fn report_uncredited(&self, entry: &SetAside, coins: &UncreditedCoins, now: u64) -> Stored<bool> {
        let mut change = self.change().await?;
        locks::lock(&mut change, "uncredited", &coins.payment.to_string()).await?;
        let listed = query("SELECT transaction_id, network, part FROM set_aside WHERE payment = $1")
            .bind(coins.payment)
            .read_all::<_, Vec<_>>(&mut change, |row| {
                Ok((row.text("transaction_id")?, row.text("network")?, row.text("part")?))
            })
            .await?;
        let own = (entry.transaction.clone(), entry.network.code().to_owned(), entry.part.clone());
        if listed.contains(&own) {
            return Ok(true);
        }
        if usize::try_from(REPORTS).is_ok_and(|most| listed.len() >= most) {
            return Ok(false);
        }
        let insert = query(
            "INSERT INTO set_aside (network, transaction_id, part, height, block, why, state, seen_at, tries,
                 asset, amount, to_address, payment)
             VALUES ($1, $2, $3, $4, $5, $6, 'OPEN', $7, 0, $8, $9, $10, $11)
             ON CONFLICT (transaction_id, network, part) DO NOTHING",
        );
        insert
            .bind(entry.network.code())
            .bind(&entry.transaction)
            .bind(&entry.part)
            .bind(entry.height)
            .bind(&entry.block)
            .bind(&entry.why)
            .bind(now)
            .bind(&coins.asset)
            .bind(&coins.amount)
            .bind(&coins.to)
            .bind(coins.payment)
            .run(&mut change)
            .await?;
        change.commit().await?;
        Ok(true)
    }

    async fn report_unknown(&self, entry: &SetAside, now: u64) -> Stored<bool> {
        let insert = query(
            "INSERT INTO set_aside (network, transaction_id, part, height, block, why, state, seen_at, tries)
             VALUES ($1, $2, $3, $4, $5, $6, 'OPEN', $7, 0)
             ON CONFLICT (transaction_id, network, part) DO UPDATE
                 SET height = excluded.height, block = excluded.block, why = excluded.why, state = 'OPEN',
                     seen_at = excluded.seen_at, tries = 0, settled_at = NULL
                 WHERE set_aside.state = 'READ'",
        );
        let insert = insert.bind(entry.network.code()).bind(&entry.transaction).bind(&entry.part);
        let insert = insert.bind(entry.height).bind(&entry.block).bind(&entry.why).bind(now);
        Ok(self.apply(insert).await? > 0)
    }

    async fn is_unread(&self, network: Network, transaction: &str) -> Stored<bool> {
        let open = query(
            "SELECT 1 FROM set_aside
             WHERE transaction_id = $1 AND network = $2 AND state = 'OPEN' AND payment IS NULL LIMIT 1",
        );
        open.bind(transaction).bind(network.code()).finds(&self.readers).await
    }

    async fn count_set_aside(&self) -> Stored<Vec<(Network, u64)>> {
        let counted = query(
            "SELECT network, COUNT(*) AS open FROM set_aside WHERE state = 'OPEN' GROUP BY network ORDER BY network",
        );
        counted.read_all(&self.readers, |row| Ok((row.parsed("network")?, row.number("open")?))).await
    }
}

#[async_trait]
impl SetAsideTx for SqlTx {
    async fn set_aside(&mut self, entries: &[SetAside], now: u64) -> Stored<()> {
        for entry in entries {
            let insert = query(
                "INSERT INTO set_aside (network, transaction_id, part, height, block, why, state, seen_at, tries, next_try_at)
                 VALUES ($1, $2, $3, $4, $5, $6, 'OPEN', $7, 0, $8)
                 ON CONFLICT (transaction_id, network, part) DO UPDATE
                     SET tries = CASE WHEN set_aside.block = excluded.block THEN set_aside.tries ELSE 0 END,
                         height = excluded.height, block = excluded.block, why = excluded.why, state = 'OPEN',
                         next_try_at = excluded.next_try_at, settled_at = NULL",
            );
            insert
                .bind(entry.network.code())
                .bind(&entry.transaction)
                .bind(&entry.part)
                .bind(entry.height)
                .bind(&entry.block)
                .bind(&entry.why)
                .bind(now)
                .bind(pause(0).map(|pause| now + pause))
                .run(self.now().await?)
                .await?;
        }
        Ok(())
    }

    async fn settle(&mut self, entry: &SetAside, now: u64) -> Stored<bool> {
        let update = of(
            query(
                "UPDATE set_aside SET state = 'READ', next_try_at = NULL, settled_at = $5
                 WHERE transaction_id = $1 AND network = $2 AND part = $3 AND block = $4 AND state = 'OPEN'",
            ),
            entry,
        );
        update.bind(now).changed(self.now().await?).await
    }

    async fn read_failed(&mut self, entry: &SetAside, why: &str, next: Option<u64>) -> Stored<()> {
        let update = of(
            query(
                "UPDATE set_aside SET tries = tries + 1, why = $5, next_try_at = $6
                 WHERE transaction_id = $1 AND network = $2 AND part = $3 AND block = $4 AND state = 'OPEN'",
            ),
            entry,
        );
        update.bind(why).bind(next).run(self.now().await?).await
    }

    async fn settle_read(&mut self, network: Network, transactions: &[&str], now: u64) -> Stored<()> {
        if transactions.is_empty() {
            return Ok(());
        }
        let text = |listed: &str| {
            format!(
                "UPDATE set_aside SET state = 'READ', next_try_at = NULL, settled_at = $1
                 WHERE state = 'OPEN' AND part = '' AND network = $2 AND transaction_id {listed}"
            )
        };
        let given = vec![now.into(), network.code().into()];
        query_list(given, transactions.iter().copied(), text).run(self.now().await?).await
    }

    async fn dismiss(&mut self, transaction: &str, now: u64) -> Stored<u64> {
        let update = query(
            "UPDATE set_aside SET state = 'DISMISSED', next_try_at = NULL, settled_at = $1
             WHERE transaction_id = $2 AND state = 'OPEN'",
        );
        update.bind(now).bind(transaction).execute(self.now().await?).await
    }

    async fn read_at_once(&mut self, transaction: &str, now: u64) -> Stored<u64> {
        let update =
            query("UPDATE set_aside SET next_try_at = $1 WHERE transaction_id = $2 AND state = 'OPEN'");
        update.bind(now).bind(transaction).execute(self.now().await?).await
    }
}

/// $1 to $4.
fn of(statement: Query, entry: &SetAside) -> Query {
    let statement = statement.bind(&entry.transaction).bind(entry.network.code());
    statement.bind(&entry.part).bind(&entry.block)
}

fn record(row: &Row) -> Stored<SetAsideRecord> {
    let entry = SetAside {
        network: row.parsed("network")?,
        transaction: row.text("transaction_id")?,
        part: row.text("part")?,
        height: row.number("height")?,
        block: row.text("block")?,
        why: row.text("why")?,
    };
    let coins = match row.optional_text("payment")? {
        None => None,
        Some(_) => Some(UncreditedCoins {
            payment: row.parsed("payment")?,
            asset: row.text("asset")?,
            amount: row.text("amount")?,
            to: row.text("to_address")?,
        }),
    };
    Ok(SetAsideRecord { entry, coins, seen_at: row.number("seen_at")?, tries: row.number("tries")? })
}
