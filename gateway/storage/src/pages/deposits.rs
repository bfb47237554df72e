//! Pages of the deposits of a business.

use checkout_core::chain::{CHAINS, ChainSpec};
use checkout_core::{Currency, Network};
use checkout_domain::chain::screening::Screening;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::payment::deposit_filter::DepositFilter;
use checkout_domain::ports::Stored;
use checkout_domain::ports::payments::ListedDeposit;
use uuid::Uuid;

use crate::Transaction;
use crate::rows::payment_with_deposits::{deposits_by_id, names};
use crate::statements::conditions::Conditions;

pub(crate) async fn read(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &DepositFilter,
    page: &Page,
) -> Stored<Vec<ListedDeposit>> {
    let found = page.in_order(ids(connection, business, filter, page).await?);
    let (ids, of): (Vec<Uuid>, Vec<PaymentId>) = found.iter().copied().unzip();
    let payments = names(connection, &of).await?;
    let mut deposits = deposits_by_id(connection, &ids).await?;
    let listed = |(id, payment): (Uuid, PaymentId)| {
        let (client_payment_id, fiat) = payments.get(&payment)?.clone();
        let (deposit, refund) = deposits.remove(&id)?;
        Some(ListedDeposit { deposit, refund, payment, client_payment_id, fiat })
    };
    Ok(found.into_iter().filter_map(listed).collect())
}

/// The ids of a page, each with its payment.
async fn ids(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &DepositFilter,
    page: &Page,
) -> Stored<Vec<(Uuid, PaymentId)>> {
    // A payment and a transaction have few deposits, a business has many: SQLite does not know which index is narrow.
    let is_narrow = filter.payment.is_some() || filter.transactions.is_some();
    let owner = if is_narrow { "business || ''" } else { "business" };
    let mut conditions = Conditions::of_business(owner, business);
    conditions.add("state <> 'VANISHED'");
    conditions.equal("payment", filter.payment);
    conditions.equal("currency", filter.currency.map(Currency::code));
    conditions.equal("network", filter.network.map(Network::code));
    if let Some(transactions) = &filter.transactions {
        conditions.one_of("transaction_id", transactions);
        if filter.network.is_none() {
            // The index of deposits is by network first.
            conditions.one_of("network", CHAINS.iter().map(ChainSpec::code));
        }
    }
    let end = conditions.page("id", &filter.seen, page);
    let (matching, states) = (conditions.text(), states(filter));
    let text = format!("SELECT id, payment FROM deposits WHERE {matching}{states} ORDER BY id {end}");
    conditions
        .statement(text)
        .read_all(connection, |row| Ok((row.parsed("id")?, row.parsed("payment")?)))
        .await
}

fn states(filter: &DepositFilter) -> String {
    let words = |is: fn(Screening) -> bool| {
        let words = Screening::ALL.into_iter().filter(|screening| is(*screening));
        words.map(|screening| format!("'{}'", screening.as_str())).collect::<Vec<_>>().join(", ")
    };
    let (cleared, held) = (words(Screening::is_cleared), words(Screening::is_held));
    let confirmed = match filter.is_confirmed {
        None => String::new(),
        Some(true) => format!(" AND state = 'CONFIRMED' AND screening IN ({cleared})"),
        Some(false) => format!(" AND (state IN ('UNCONFIRMED', 'INCLUDED') OR screening NOT IN ({cleared}))"),
    };
    match filter.is_held {
        None => confirmed,
        // The first condition is that of the index.
        Some(true) => format!("{confirmed} AND screening NOT IN ({cleared}) AND screening IN ({held})"),
        Some(false) => format!("{confirmed} AND screening NOT IN ({held})"),
    }
}
