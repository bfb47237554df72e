//! The console's queries of payments in the gateway's tables.

use checkout_domain::ids::PaymentId;
use checkout_domain::ledger::Account;
use checkout_domain::ledger::money::Money;
use checkout_domain::ports::Stored;
use checkout_domain::rates::asset::Asset;
use checkout_storage::{Row, bad, query};
use checkout_wire::PaymentStatus;
use uuid::Uuid;

use super::{GivenAddress, Storage, before};
use crate::records::Listing;

impl Storage {
    /// Lists payments of all businesses, newest first.
    pub async fn listed_payments(&self, listing: &Listing) -> Stored<Vec<PaymentId>> {
        query(
            "SELECT id FROM payments
             WHERE ($1 = '' OR status = $1) AND id < $2
                 AND ($3 = '' OR id LIKE $3 ESCAPE '!' OR LOWER(client_payment_id) LIKE $3 ESCAPE '!'
                      OR id IN (SELECT payment FROM addresses WHERE LOWER(address) LIKE $3 ESCAPE '!')
                      OR id IN (SELECT payment FROM deposits WHERE LOWER(transaction_id) LIKE $3 ESCAPE '!'))
             ORDER BY id DESC LIMIT $4",
        )
        .bind(listing.status.map_or("", PaymentStatus::as_str))
        .bind(before(listing.before))
        .bind(listing.search.as_deref().map_or_else(String::new, containing))
        .bind(listing.limit)
        .read_all(self.0.readers(), |row| row.parsed("id"))
        .await
    }

    /// Returns every address assigned to a payment, oldest first.
    pub async fn given_addresses(&self, payment: PaymentId) -> Stored<Vec<GivenAddress>> {
        query(
            "SELECT network, address, tag, created_at FROM addresses WHERE payment = $1 ORDER BY created_at, network",
        )
        .bind(payment)
        .read_all(self.0.readers(), |row| {
            let tag = row.text("tag")?;
            Ok(GivenAddress {
                network: row.parsed("network")?,
                address: row.text("address")?,
                tag: (!tag.is_empty()).then_some(tag),
                created_at: row.number("created_at")?,
            })
        })
        .await
    }

    /// Returns the callbacks about a payment's deposits, oldest first.
    pub async fn callbacks_of_payment(&self, payment: PaymentId) -> Stored<Vec<Uuid>> {
        query(
            "SELECT id FROM callbacks
             WHERE subject = $1 OR (kind = 'DEPOSIT' AND subject IN (SELECT id FROM deposits WHERE payment = $1))
             ORDER BY created_at, id",
        )
        .bind(payment)
        .read_all(self.0.readers(), |row| row.parsed("id"))
        .await
    }

    /// Returns the lines of every ledger entry caused by a deposit, with the cause, in the order of the entries.
    pub async fn ledger_of_deposit(&self, deposit: Uuid) -> Stored<Vec<(String, Account, Money)>> {
        let line = |row: &Row| {
            let asset = row.word("asset", Asset::known)?;
            let units = row.text("units")?.parse().map_err(|_| bad("units"))?;
            let account = row.word("account", Account::known)?;
            Ok((row.text("cause")?, account, Money { asset, units }))
        };
        let lines = query(
            "SELECT cause, asset, account, units FROM ledger_lines WHERE cause LIKE $1 ORDER BY asset, account",
        )
        .bind(format!("deposit/{deposit}/%"))
        .read_all(self.0.readers(), line);
        let mut lines: Vec<_> = lines.await?;
        lines.sort_by_cached_key(|(cause, _, _)| generation(cause));
        Ok(lines)
    }
}

/// The sort key of a cause: `deposit/ID/10` comes after `deposit/ID/9/reversed`.
fn generation(cause: &str) -> (u64, String) {
    let number = cause.split('/').nth(2).and_then(|part| part.parse().ok());
    (number.unwrap_or(u64::MAX), cause.to_owned())
}

/// Returns a LIKE pattern for texts that contain `text`.
fn containing(text: &str) -> String {
    format!("%{}%", text.replace('!', "!!").replace('%', "!%").replace('_', "!_"))
}

#[cfg(test)]
mod tests {
    use super::{containing, generation};

    #[test]
    fn the_tenth_entry_of_a_deposit_comes_after_the_ninth() {
        let entries = |number| [format!("deposit/a/{number}"), format!("deposit/a/{number}/reversed")];
        let expected: Vec<String> = (1..=12).flat_map(entries).collect();
        let mut causes: Vec<String> = expected.iter().rev().cloned().collect();
        causes.sort_by_cached_key(|cause| generation(cause));
        assert_eq!(causes, expected);
    }

    #[test]
    fn patterns_escape_wildcards() {
        let check = |text: &str, expected: &str| assert_eq!(containing(text), expected);
        check("order-1", "%order-1%");
        check("50%_!", "%50!%!_!!%");
    }
}
