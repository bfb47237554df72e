//! The sums of a payment's deposits, as JSON: they are read and written whole.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::ports::{StoreError, Stored};

use crate::{Transaction, Value, query_list, query_rows};

pub(crate) async fn of_payments(
    connection: &mut Transaction,
    payments: &[PaymentId],
) -> Stored<BTreeMap<PaymentId, DepositSums>> {
    let mut found = BTreeMap::new();
    let text = |listed: &str| format!("SELECT payment, sums FROM deposit_sums WHERE payment {listed}");
    for row in query_list(Vec::new(), payments.iter().copied(), text).fetch_all(connection).await? {
        // Those of a version with other sums are made anew.
        if let Ok(sums) = serde_json::from_str(&row.text("sums")?) {
            found.insert(row.parsed("payment")?, sums);
        }
    }
    Ok(found)
}

pub(crate) async fn put(connection: &mut Transaction, all: &[(PaymentId, &DepositSums)]) -> Stored<()> {
    let row = |(payment, sums): &(PaymentId, &DepositSums)| -> Stored<Vec<Value>> {
        let json = serde_json::to_string(sums).map_err(|error| StoreError(error.into()))?;
        Ok(vec![(*payment).into(), json.into()])
    };
    let text = |new: &str| {
        format!(
            "INSERT INTO deposit_sums (payment, sums) SELECT * FROM {new} WHERE TRUE
             ON CONFLICT (payment) DO UPDATE SET sums = excluded.sums"
        )
    };
    query_rows(Vec::new(), all.iter().map(row).collect::<Stored<_>>()?, text).run(connection).await
}
