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
    let amounts: Vec<String> =
        filter.amounts.iter().flatten().map(|word| of_amount(&mut conditions, business, word)).collect();
    // Many payments cost the same: each amount is read from its index in the order of the page.
    let id = if amounts.is_empty() { "listed.id" } else { "amount.payment" };
    let end = conditions.page(id, &filter.created, page);
    let matching = conditions.text();
    let part = |tables: &Tables, amount: &str| {
        // SQLite follows the order of a CROSS JOIN: few rows have the amount, the address or the transaction.
        let texts = if amount.is_empty() { "" } else { "payment_texts AS amount CROSS JOIN " };
        let addresses = format!("{} AS given CROSS JOIN ", tables.addresses);
        let transactions = format!("{} AS sent CROSS JOIN ", tables.transactions);
        let addresses = if filter.addresses.is_some() { &*addresses } else { "" };
        let transactions = if filter.transactions.is_some() { &*transactions } else { "" };
        let payments = tables.payments;
        format!(
            "SELECT id FROM (
                 SELECT DISTINCT {id} AS id FROM {texts}{addresses}{transactions}{payments} AS listed
                 WHERE {matching}{amount} ORDER BY {id} {end}
             ) AS part"
        )
    };
    let amounts = if amounts.is_empty() { vec![String::new()] } else { amounts };
    let parts: Vec<String> = [OPEN, ARCHIVED]
        .iter()
        .flat_map(|tables| amounts.iter().map(|amount| part(tables, amount)))
        .collect();
    // A payment can have the number in two currencies.
    let text = format!(
        "{} ORDER BY id {end}",
        parts.join(if amounts.len() > 1 { " UNION " } else { " UNION ALL " })
    );
    let rows = conditions.statement(text).fetch_all(connection).await?;
    rows.iter().map(|row| row.parsed("id")).collect()
}

/// The condition that a payment has an amount, with its parameters.
fn of_amount(conditions: &mut Conditions, business: Uuid, word: &str) -> String {
    let (owner, name, value) = (
        conditions.parameter(business.to_string()),
        conditions.parameter(AMOUNT),
        conditions.parameter(word),
    );
    format!(
        " AND amount.payment = listed.id AND amount.business = {owner} AND amount.name = {name} AND amount.value = {value}"
    )
}
