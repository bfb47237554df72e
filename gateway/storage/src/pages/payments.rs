//! Pages of the payments of a business.

use std::collections::BTreeMap;

use checkout_core::chain::{CHAINS, ChainSpec};
use checkout_core::{Currency, Network};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::page::{Page, Period};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::filter::PaymentFilter;
use checkout_domain::ports::Stored;
use checkout_wire::PaymentStatus;

use crate::rows::payment_texts::{AMOUNT, WORD};
use crate::statements::conditions::Conditions;
use crate::{Transaction, rows};

pub(crate) async fn read(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &PaymentFilter,
    page: &Page,
) -> Stored<Vec<PaymentWithDeposits>> {
    let ids = page.in_order(ids(connection, business, filter, page).await?);
    let stored = rows::payment_with_deposits::read_some(connection, &ids).await?;
    let mut found: BTreeMap<PaymentId, _> =
        stored.into_iter().map(|record| (record.payment.id, record)).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

async fn ids(
    connection: &mut Transaction,
    business: BusinessId,
    filter: &PaymentFilter,
    page: &Page,
) -> Stored<Vec<PaymentId>> {
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
        conditions.one_of("sent.network", CHAINS.iter().map(ChainSpec::code));
    }
    let words = filter.words.iter().map(|word| (WORD, word.as_str()));
    let metadata = filter.metadata.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let texts: Vec<_> = words.chain(metadata).collect();
    // A payment has one of the amounts, and all of the other texts.
    let searches: Vec<Vec<_>> = match &filter.amounts {
        Some(amounts) => amounts
            .iter()
            .map(|word| texts.iter().copied().chain([(AMOUNT, word.as_str())]).collect())
            .collect(),
        None => vec![texts],
    };
    // SQLite follows the order of a CROSS JOIN: few rows have the address or the transaction.
    let addresses = if filter.addresses.is_some() { "addresses AS given CROSS JOIN " } else { "" };
    let transactions = if filter.transactions.is_some() { "deposits AS sent CROSS JOIN " } else { "" };
    let all = format!("SELECT DISTINCT listed.id FROM {addresses}{transactions}payments AS listed WHERE");
    let text = if searches.iter().all(Vec::is_empty) {
        let end = conditions.page("listed.id", &filter.created, page);
        format!("{all} {} ORDER BY listed.id {end}", conditions.text())
    } else {
        conditions.add("listed.id = text_0.payment");
        let exists = format!("EXISTS ({all} {})", conditions.take());
        let mut found = Vec::with_capacity(searches.len());
        let mut order = String::new();
        for texts in &searches {
            let (tables, end) = of_texts(&mut conditions, business, texts, &filter.created, page);
            let having = conditions.take();
            found.push(format!(
                "SELECT id FROM (SELECT text_0.payment AS id FROM {tables} WHERE {having} AND {exists}
                 ORDER BY text_0.payment {end}) AS part"
            ));
            order = end;
        }
        // A payment can have the number in two currencies.
        format!("{} ORDER BY id {order}", found.join(" UNION "))
    };
    conditions.statement(text).read_all(connection, |row| row.parsed("id")).await
}

/// Payments with all of these texts: the tables, and the end of the statement. The rows of a text are in the order of their payments:
/// they are read until the page is full.
fn of_texts(
    conditions: &mut Conditions,
    business: BusinessId,
    texts: &[(&str, &str)],
    created: &Period,
    page: &Page,
) -> (String, String) {
    let end = conditions.page("text_0.payment", created, page);
    for (at, (name, value)) in texts.iter().enumerate() {
        conditions.equal(&format!("text_{at}.business"), Some(business));
        conditions.equal(&format!("text_{at}.name"), Some(*name));
        conditions.equal(&format!("text_{at}.value"), Some(*value));
        if at > 0 {
            conditions.add(format!("text_{at}.payment = text_0.payment"));
        }
    }
    let tables: Vec<String> = (0..texts.len()).map(|at| format!("payment_texts AS text_{at}")).collect();
    (tables.join(" CROSS JOIN "), end)
}
