//! The sums of a payment's deposits, as JSON: they are read and written whole.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::ports::{StoreError, Stored};

use crate::{Query, Transaction, by_statement, parameters, placeholders, query_rows};

pub(crate) async fn of_payments(
    connection: &mut Transaction,
    payments: &[PaymentId],
) -> Stored<BTreeMap<PaymentId, DepositSums>> {
    let mut found = BTreeMap::new();
    for some in by_statement(payments, 1) {
        let text =
            format!("SELECT payment, sums FROM deposit_sums WHERE payment IN ({})", parameters(some.len()));
        let statement = query_rows(text, some.len(), 1).bind_all(some.iter().copied());
        for row in statement.fetch_all(&mut *connection).await? {
            // Those of a version with other sums are made anew.
            if let Ok(sums) = serde_json::from_str(&row.text("sums")?) {
                found.insert(row.parsed("payment")?, sums);
            }
        }
    }
    Ok(found)
}

pub(crate) async fn put(connection: &mut Transaction, all: &[(PaymentId, &DepositSums)]) -> Stored<()> {
    for some in by_statement(all, 2) {
        let text = format!(
            "INSERT INTO deposit_sums (payment, sums) VALUES {} ON CONFLICT (payment) DO UPDATE SET sums = excluded.sums",
            placeholders(some.len(), 2)
        );
        let mut statement: Query = query_rows(text, some.len(), 2);
        for (payment, sums) in some {
            let json = serde_json::to_string(sums).map_err(|error| StoreError(error.into()))?;
            statement = statement.bind(*payment).bind(json);
        }
        statement.execute(&mut *connection).await?;
    }
    Ok(())
}
