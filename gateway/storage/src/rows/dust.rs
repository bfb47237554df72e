//! A row of `dust`.

use checkout_core::{Currency, Network};
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::dust::DustSum;
use checkout_domain::ports::Stored;

use crate::statements::columns::columns;
use crate::statements::locks;
use crate::{On, Transaction, Value, query};

columns! {
    "dust": sum: DustSum, from row;
    given {
        Key "payment";
        Key "network";
        Key "currency";
    }
    fields {
        Changes transfers = sum.transfers => number;
        Changes amount = sum.amount.atoms().to_string() => atoms;
        Changes last_seen_at = sum.last_seen_at => number;
    }
}

/// Adds to the row of a payment, which its change has locked.
pub(crate) async fn add(
    connection: &mut Transaction,
    payment: PaymentId,
    network: Network,
    currency: Currency,
    more: &DustSum,
) -> Stored<()> {
    locks::hold_payments(connection, &[payment]).await?;
    let known = of_payment(&mut *connection, payment).await?;
    let known = known.into_iter().find(|(on, of, _)| (*on, *of) == (network, currency));
    let sum = known.map_or(*more, |(_, _, sum)| sum.plus(more));
    let given = [payment.to_string(), network.code().to_owned(), currency.code().to_owned()];
    let end = || format!("ON CONFLICT (payment, network, currency) DO UPDATE SET {}", COLUMNS.excluded());
    COLUMNS.insert(given.map(Value::from), &sum, end).run(connection).await
}

pub(crate) async fn of_payment<'a>(
    on: impl Into<On<'a>>,
    payment: PaymentId,
) -> Stored<Vec<(Network, Currency, DustSum)>> {
    query("SELECT * FROM dust WHERE payment = $1 ORDER BY network, currency")
        .bind(payment)
        .read_all(on, |row| Ok((row.parsed("network")?, row.parsed("currency")?, read(row)?)))
        .await
}
