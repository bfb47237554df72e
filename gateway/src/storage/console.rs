use async_trait::async_trait;
use checkout_core::Network;
use checkout_core::wire::PaymentStatus;
use uuid::Uuid;

use super::row::{Row, bad, int};
use super::tx::SqlTx;
use super::{Database, ledger, payment_row, query, withdrawal_row};
use crate::domain::console::{Deed, Delivery, Listing, Verdict, What};
use crate::domain::ledger::Account;
use crate::domain::ledger::money::Money;
use crate::domain::payment::Payment;
use crate::domain::withdrawal::Withdrawal;
use crate::ports::Stored;
use crate::ports::console::{ChainState, ConsoleStore, ConsoleTx, GivenAddress};

/// Behind every UUID, in whatever order of letters.
const END: &str = "z";

#[async_trait]
impl ConsoleStore for Database {
    async fn listed_payments(&self, listing: &Listing) -> Stored<Vec<Payment>> {
        let rows = query(
            "SELECT * FROM payments
             WHERE ($1 = '' OR status = $1) AND id < $2
                 AND ($3 = '' OR id LIKE $3 ESCAPE '!' OR LOWER(client_payment_id) LIKE $3 ESCAPE '!'
                      OR id IN (SELECT payment FROM addresses WHERE LOWER(address) LIKE $3 ESCAPE '!')
                      OR id IN (SELECT payment FROM deposits WHERE LOWER(transaction_id) LIKE $3 ESCAPE '!'))
             ORDER BY id DESC LIMIT $4",
        )
        .bind(listing.status.as_ref().map_or("", PaymentStatus::as_str))
        .bind(before(listing.before))
        .bind(listing.search.as_deref().map_or_else(String::new, containing))
        .bind(i64::from(listing.limit))
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(|row| payment_row::read(&row)).collect()
    }

    async fn given_addresses(&self, payment: Uuid) -> Stored<Vec<GivenAddress>> {
        let rows = query(
            "SELECT network, address, tag, created_at FROM addresses WHERE payment = $1 ORDER BY created_at, network",
        )
        .bind(payment.to_string())
        .fetch_all(&self.readers)
        .await?;
        let read = |row: Row| {
            let tag = row.text("tag")?;
            Ok(GivenAddress {
                network: row.parsed("network")?,
                address: row.text("address")?,
                tag: (!tag.is_empty()).then_some(tag),
                created_at: row.number("created_at")?,
            })
        };
        rows.into_iter().map(read).collect()
    }

    async fn chain_states(&self) -> Stored<Vec<ChainState>> {
        let heights = query("SELECT network, height FROM sim_chains").fetch_all(&self.readers).await?;
        let pending = query(
            "SELECT network, COUNT(*) AS pending FROM sim_transfers WHERE height IS NULL AND dropped = 0
             GROUP BY network",
        )
        .fetch_all(&self.readers)
        .await?;
        let mut states: Vec<ChainState> = Vec::new();
        for row in heights {
            states.push(ChainState {
                network: row.parsed("network")?,
                height: row.number("height")?,
                pending: 0,
            });
        }
        for row in pending {
            let network: Network = row.parsed("network")?;
            let pending = row.number("pending")?;
            match states.iter_mut().find(|state| state.network == network) {
                Some(state) => state.pending = pending,
                None => states.push(ChainState { network, height: 0, pending }),
            }
        }
        Ok(states)
    }

    async fn transaction_heights(&self, payment: Uuid) -> Stored<Vec<(String, Option<u64>)>> {
        let rows = query(
            "SELECT sim_transfers.transaction_id, sim_transfers.height FROM deposits
             JOIN sim_transfers ON sim_transfers.transaction_id = deposits.transaction_id
             WHERE deposits.payment = $1",
        )
        .bind(payment.to_string())
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter()
            .map(|row| Ok((row.text("transaction_id")?, row.optional_number("height")?)))
            .collect()
    }

    async fn callbacks_of_payment(&self, payment: Uuid) -> Stored<Vec<Uuid>> {
        let rows = query(
            "SELECT callbacks.id FROM callbacks JOIN deposits ON deposits.id = callbacks.subject
             WHERE deposits.payment = $1 AND callbacks.kind = 'DEPOSIT' ORDER BY callbacks.created_at, callbacks.id",
        )
        .bind(payment.to_string())
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(|row| row.parsed("id")).collect()
    }

    async fn payment_of_deposit(&self, deposit: Uuid) -> Stored<Option<Uuid>> {
        let row = query("SELECT payment FROM deposits WHERE id = $1")
            .bind(deposit.to_string())
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| row.parsed("payment")).transpose()
    }

    async fn ledger_of_deposit(&self, deposit: Uuid) -> Stored<Vec<(String, Account, Money)>> {
        let rows = query(
            "SELECT cause, asset, account, units FROM ledger_lines WHERE cause LIKE $1
             ORDER BY cause, asset, account",
        )
        .bind(format!("deposit/{deposit}/%"))
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter()
            .map(|row| {
                let (account, money) = ledger::line(&row, "units")?;
                Ok((row.text("cause")?, account, money))
            })
            .collect()
    }

    async fn listed_withdrawals(&self, limit: u32) -> Stored<Vec<Withdrawal>> {
        withdrawal_row::newest(&self.readers, limit).await
    }

    async fn deliveries(&self, older_than: Option<Uuid>, limit: u32) -> Stored<Vec<Delivery>> {
        let rows = query("SELECT * FROM console_deliveries WHERE id < $1 ORDER BY id DESC LIMIT $2")
            .bind(before(older_than))
            .bind(i64::from(limit))
            .fetch_all(&self.readers)
            .await?;
        rows.into_iter().map(|row| delivery(&row)).collect()
    }

    async fn deeds(&self, since: u64) -> Stored<Vec<Deed>> {
        let rows = query("SELECT * FROM console_deeds WHERE at >= $1 ORDER BY at, id")
            .bind(int(since))
            .fetch_all(&self.readers)
            .await?;
        rows.into_iter().map(|row| deed(&row)).collect()
    }
}

#[async_trait]
impl ConsoleTx for SqlTx {
    async fn put_delivery(&mut self, delivery: &Delivery, keep: u32) -> Stored<()> {
        query(
            "INSERT INTO console_deliveries (id, received_at, webhook_id, headers, body, verdict, answered, delay_seconds)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(delivery.id.to_string())
        .bind(int(delivery.received_at))
        .bind(&delivery.webhook_id)
        .bind(serde_json::to_string(&delivery.headers).map_err(|_| bad("headers"))?)
        .bind(&delivery.body)
        .bind(delivery.verdict.as_str())
        .bind(i64::from(delivery.answered))
        .bind(int(delivery.delay_seconds))
        .execute(&mut self.0)
        .await?;
        query(
            "DELETE FROM console_deliveries
             WHERE id <= (SELECT id FROM console_deliveries ORDER BY id DESC LIMIT 1 OFFSET $1)",
        )
        .bind(i64::from(keep))
        .execute(&mut self.0)
        .await?;
        Ok(())
    }

    async fn forget_deliveries(&mut self) -> Stored<()> {
        query("DELETE FROM console_deliveries").execute(&mut self.0).await?;
        Ok(())
    }

    async fn put_deed(&mut self, deed: &Deed, keep: u32) -> Stored<()> {
        query(
            "INSERT INTO console_deeds (id, at, what, network, quantity, subject) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(deed.id.to_string())
        .bind(int(deed.at))
        .bind(deed.what.as_str())
        .bind(deed.network.map(Network::code))
        .bind(int(deed.quantity))
        .bind(&deed.subject)
        .execute(&mut self.0)
        .await?;
        query(
            "DELETE FROM console_deeds
             WHERE id <= (SELECT id FROM console_deeds ORDER BY id DESC LIMIT 1 OFFSET $1)",
        )
        .bind(i64::from(keep))
        .execute(&mut self.0)
        .await?;
        Ok(())
    }
}

fn before(id: Option<Uuid>) -> String {
    id.map_or_else(|| END.to_owned(), |id| id.to_string())
}

/// The pattern of texts that contain this one.
fn containing(text: &str) -> String {
    format!("%{}%", text.replace('!', "!!").replace('%', "!%").replace('_', "!_"))
}

fn delivery(row: &Row) -> Stored<Delivery> {
    Ok(Delivery {
        id: row.parsed("id")?,
        received_at: row.number("received_at")?,
        webhook_id: row.text("webhook_id")?,
        headers: serde_json::from_str(&row.text("headers")?).map_err(|_| bad("headers"))?,
        body: row.text("body")?,
        verdict: row.word("verdict", Verdict::known)?,
        answered: row.number("answered")?,
        delay_seconds: row.number("delay_seconds")?,
    })
}

fn deed(row: &Row) -> Stored<Deed> {
    Ok(Deed {
        id: row.parsed("id")?,
        at: row.number("at")?,
        what: row.word("what", What::known)?,
        network: row.optional_parsed("network")?,
        quantity: row.number("quantity")?,
        subject: row.optional_text("subject")?,
    })
}

#[cfg(test)]
mod tests {
    use super::containing;

    #[test]
    fn patterns_have_no_signs_of_their_own() {
        let check = |text: &str, expected: &str| assert_eq!(containing(text), expected);
        check("order-1", "%order-1%");
        check("50%_!", "%50!%!_!!%");
    }
}
