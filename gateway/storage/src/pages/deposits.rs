//! Pages of the deposits of a business. Those of payments in the archive are among them.

use std::collections::BTreeMap;

use checkout_core::chain::{CHAINS, ChainSpec};
use checkout_core::{Currency, Network};
use checkout_domain::chain::screening::Screening;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::Page;
use checkout_domain::payment::deposit_filter::DepositFilter;
use checkout_domain::ports::Stored;
use checkout_domain::ports::payments::ListedDeposit;
use uuid::Uuid;

use crate::rows::payment_with_deposits::{deposits_by_id, names};
use crate::statements::conditions::Conditions;
use crate::{Transaction, archive};

pub(crate) async fn read(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &DepositFilter,
    page: &Page,
) -> Stored<Vec<ListedDeposit>> {
    let found = page.in_order(ids(connection, business, filter, page).await?);
    let mut deposits = open(connection, &found).await?;
    let mut listed = Vec::with_capacity(found.len());
    for (id, payment) in found {
        listed.extend(match deposits.remove(&id) {
            Some(deposit) => Some(deposit),
            None => archived(connection, payment, id).await?,
        });
    }
    Ok(listed)
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
    let (matching, of_open) = (conditions.text(), of_open(filter));
    let mut parts =
        vec![format!("SELECT id, payment FROM deposits WHERE {matching}{of_open} ORDER BY id {end}")];
    // All deposits of archived payments are confirmed and cleared.
    if filter.is_confirmed != Some(false) && filter.is_held != Some(true) {
        parts.push(format!("SELECT id, payment FROM archived_deposits WHERE {matching} ORDER BY id {end}"));
    }
    let parts: Vec<String> =
        parts.into_iter().map(|part| format!("SELECT * FROM ({part}) AS part")).collect();
    let text = format!("{} ORDER BY id {end}", parts.join(" UNION ALL "));
    conditions
        .statement(text)
        .read_all(connection, |row| Ok((row.parsed("id")?, row.parsed("payment")?)))
        .await
}

/// Conditions on columns that the archive lacks.
fn of_open(filter: &DepositFilter) -> String {
    let words = |is: fn(Screening) -> bool| {
        let words = Screening::ALL.into_iter().filter(|screening| is(*screening));
        words.map(|screening| format!("'{}'", screening.as_str())).collect::<Vec<_>>().join(", ")
    };
    let (cleared, held) = (words(Screening::is_cleared), words(Screening::is_held));
    let confirmed = match filter.is_confirmed {
        None => String::new(),
        Some(true) => format!(" AND state = 'CONFIRMED' AND screening IN ({cleared})"),
        Some(false) => format!(" AND (state = 'UNCONFIRMED' OR screening NOT IN ({cleared}))"),
    };
    match filter.is_held {
        None => confirmed,
        // The first condition is that of the index.
        Some(true) => format!("{confirmed} AND screening NOT IN ({cleared}) AND screening IN ({held})"),
        Some(false) => format!("{confirmed} AND screening NOT IN ({held})"),
    }
}

/// Those of open payments.
async fn open(
    connection: &mut Transaction,
    found: &[(Uuid, PaymentId)],
) -> Stored<BTreeMap<Uuid, ListedDeposit>> {
    let (ids, of): (Vec<Uuid>, Vec<PaymentId>) = found.iter().copied().unzip();
    let payments = names(connection, &of).await?;
    let mut deposits = deposits_by_id(connection, &ids).await?;
    let listed = |(id, payment): &(Uuid, PaymentId)| {
        let (client_payment_id, fiat) = payments.get(payment)?.clone();
        let deposit = deposits.remove(id)?;
        Some((*id, ListedDeposit { deposit, payment: *payment, client_payment_id, fiat }))
    };
    Ok(found.iter().filter_map(listed).collect())
}

async fn archived(
    connection: &mut Transaction,
    payment: PaymentId,
    id: Uuid,
) -> Stored<Option<ListedDeposit>> {
    let Some(record) = archive::find(connection, payment).await? else { return Ok(None) };
    let fiat = record.payment.display_currency;
    let client_payment_id = record.payment.client_payment_id;
    let found = record.deposits.into_iter().find(|deposit| deposit.id == id);
    Ok(found.map(|deposit| ListedDeposit { deposit, payment, client_payment_id, fiat }))
}
