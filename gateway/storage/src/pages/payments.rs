//! Pages of the payments of a business. Those in the archive are among them.

use std::collections::BTreeMap;

use checkout_core::wire::PaymentStatus;
use checkout_core::{Currency, Network};
use checkout_domain::page::Page;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::filter::Filter;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::rows::payment_texts::{AMOUNT, WORD};
use crate::statements::conditions::Conditions;
use crate::{Transaction, archive, rows};

/// The tables that are searched by the same columns.
struct Tables {
    payments: &'static str,
    addresses: &'static str,
    transactions: &'static str,
}

const OPEN: Tables = Tables { payments: "payments", addresses: "addresses", transactions: "deposits" };

const ARCHIVED: Tables = Tables {
    payments: "archived_payments",
    addresses: "archived_addresses",
    transactions: "archived_deposits",
};

pub(crate) async fn read(
    connection: &mut Transaction,
    business: Uuid,
    filter: &Filter,
    page: &Page,
) -> Stored<Vec<PaymentWithDeposits>> {
    let ids = page.in_order(ids(connection, business, filter, page).await?);
    let stored = rows::payment_with_deposits::read_some(connection, &ids).await?;
    let mut found: BTreeMap<Uuid, _> = stored.into_iter().map(|record| (record.payment.id, record)).collect();
    let mut payments = Vec::with_capacity(ids.len());
    for id in ids {
        payments.extend(match found.remove(&id) {
            Some(record) => Some(record),
            None => archive::find(connection, id).await?,
        });
    }
    Ok(payments)
}

async fn ids(
    connection: &mut Transaction,
    business: Uuid,
    filter: &Filter,
    page: &Page,
) -> Stored<Vec<Uuid>> {
    let mut conditions = Conditions::of_business("listed.business", business);
    conditions.equal("listed.client_payment_id", filter.client_payment_id.as_ref());
    conditions.equal("listed.status", filter.status.map(PaymentStatus::as_str));
    conditions.equal("listed.currency", filter.currency.map(Currency::code));
    conditions.equal("listed.network", filter.network.map(Network::code));
    if let Some(addresses) = &filter.addresses {
        conditions.add("given.payment = listed.id");
        conditions.one_of("given.address", addresses);
        conditions.equal("given.tag", filter.tag.as_ref());
    }
    if let Some(transactions) = &filter.transactions {
        conditions.add("sent.payment = listed.id");
        conditions.one_of("sent.transaction_id", transactions);
        // The index of deposits is by network first.
        conditions.one_of("sent.network", Network::ALL.iter().map(|network| network.code()));
    }
    if let Some(amounts) = &filter.amounts {
        let (owner, name) = (conditions.parameter(business.to_string()), conditions.parameter(AMOUNT));
        let values: Vec<String> = amounts.iter().map(|word| conditions.parameter(word.as_str())).collect();
        let values = values.join(", ");
        conditions.add(format!(
            "listed.id IN (SELECT payment FROM payment_texts WHERE business = {owner} AND name = {name} AND value IN ({values}))"
        ));
    }
    let words = filter.words.iter().map(|word| (WORD, word));
    let metadata = filter.metadata.iter().map(|(name, value)| (name.as_str(), value));
    for (name, value) in words.chain(metadata) {
        let (owner, name, value) = (
            conditions.parameter(business.to_string()),
            conditions.parameter(name),
            conditions.parameter(value.as_str()),
        );
        conditions.add(format!(
            "listed.id IN (SELECT payment FROM payment_texts WHERE business = {owner} AND name = {name} AND value = {value})"
        ));
    }
    let end = conditions.page("listed.id", &filter.created, page);
    let matching = conditions.text();
    let part = |tables: &Tables| {
        // SQLite follows the order of a CROSS JOIN: few rows have the address or the transaction.
        let addresses = format!("{} AS given CROSS JOIN ", tables.addresses);
        let transactions = format!("{} AS sent CROSS JOIN ", tables.transactions);
        let addresses = if filter.addresses.is_some() { &*addresses } else { "" };
        let transactions = if filter.transactions.is_some() { &*transactions } else { "" };
        let payments = tables.payments;
        format!(
            "SELECT DISTINCT listed.id FROM {addresses}{transactions}{payments} AS listed WHERE {matching}
             ORDER BY listed.id {end}"
        )
    };
    let text = format!(
        "SELECT id FROM ({}) AS open UNION ALL SELECT id FROM ({}) AS archived ORDER BY id {end}",
        part(&OPEN),
        part(&ARCHIVED)
    );
    let rows = conditions.statement(text).fetch_all(connection).await?;
    rows.iter().map(|row| row.parsed("id")).collect()
}
