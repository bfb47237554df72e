//! Finds the payments of a batch of transfers with few queries.

use checkout_domain::ids::PaymentId;
use std::collections::{BTreeMap, BTreeSet};

use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::address_space::networks_of_account;
use checkout_domain::chain::recognise::is_possible;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::ports::{Owner, Stored};

use crate::{Query, Transaction, by_statement, placeholders, query, query_rows};

/// Transactions per query.
const CHUNK: usize = 100;

pub(crate) async fn of(connection: &mut Transaction, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
    let known = deposits(connection, transfers).await?;
    let new = transfers.iter().zip(&known).filter(|(_, known)| known.is_none());
    let given = addresses(connection, new.map(|(transfer, _)| transfer)).await?;
    let mut owners = Vec::with_capacity(transfers.len());
    for (transfer, known) in transfers.iter().zip(known) {
        if known.is_some() {
            owners.push(known);
            continue;
        }
        let found = given.get(&(transfer.output.network, tagged_address(transfer)));
        owners.push(found.map(|found| Owner { payment: found.payment, is_new: true, is_gone: false }));
    }
    Ok(owners)
}

/// The payments of those that already are deposits, with the same facts.
async fn deposits(connection: &mut Transaction, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
    let mut known = Vec::with_capacity(transfers.len());
    for chunk in transfers.chunks(CHUNK) {
        let Some(first) = chunk.first() else { continue };
        let placeholders: Vec<String> = (0..chunk.len()).map(|at| format!("${}", at + 2)).collect();
        let text = format!(
            "SELECT transaction_id, output_index, payment, currency, amount, to_address, state
             FROM deposits WHERE network = $1 AND transaction_id IN ({})",
            placeholders.join(", ")
        );
        let statement = if chunk.len() == CHUNK { query(text) } else { query(text).once() };
        let statement = statement.bind(first.output.network.code());
        let bind =
            |statement: crate::Query, transfer: &Transfer| statement.bind(&transfer.output.transaction);
        let rows = chunk.iter().fold(statement, bind).fetch_all(&mut *connection).await?;
        let mut found = BTreeMap::new();
        for row in rows {
            let output: (String, u32) = (row.text("transaction_id")?, row.number("output_index")?);
            let facts: (Currency, Amount, String) =
                (row.parsed("currency")?, row.atoms("amount")?, row.text("to_address")?);
            let is_gone = row.word("state", OutputState::known)? == OutputState::Vanished;
            let owner = Owner { payment: row.parsed("payment")?, is_new: false, is_gone };
            found.insert(output, (owner, facts));
        }
        known.extend(chunk.iter().map(|transfer| {
            let output = (transfer.output.transaction.clone(), transfer.output.index);
            let (owner, (currency, amount, to)) = found.get(&output)?;
            is_possible((*currency, *amount, to), transfer).then_some(*owner)
        }));
    }
    Ok(known)
}

/// An address with its tag.
type TaggedAddress<'a> = (&'a str, &'a str);

fn tagged_address(transfer: &Transfer) -> TaggedAddress<'_> {
    (transfer.to.as_str(), transfer.tag.as_deref().unwrap_or_default())
}

struct FoundPayment {
    payment: PaymentId,
    /// The place of its network among those that share the account.
    rank: usize,
}

/// The payments to which addresses with their tags were assigned, each on the first network of its account that has one.
async fn addresses<'a>(
    connection: &mut Transaction,
    transfers: impl Iterator<Item = &'a Transfer>,
) -> Stored<BTreeMap<(Network, TaggedAddress<'a>), FoundPayment>> {
    let asked: BTreeSet<(Network, TaggedAddress<'a>)> =
        transfers.map(|transfer| (transfer.output.network, tagged_address(transfer))).collect();
    let asked = Vec::from_iter(asked);
    let mut found: BTreeMap<(Network, TaggedAddress<'a>), FoundPayment> = BTreeMap::new();
    for some in by_statement(&asked, 2) {
        let values = placeholders(some.len(), 2);
        let text = format!(
            "WITH asked (address, tag) AS (VALUES {values})
             SELECT addresses.address, addresses.tag, network, payment
             FROM asked JOIN addresses ON addresses.address = asked.address AND addresses.tag = asked.tag"
        );
        let bind = |statement: Query, (_, (address, tag)): &(Network, TaggedAddress<'_>)| {
            statement.bind(*address).bind(*tag)
        };
        let rows =
            some.iter().fold(query_rows(text, some.len(), 2), bind).fetch_all(&mut *connection).await?;
        let mut given: BTreeMap<(String, String), Vec<_>> = BTreeMap::new();
        for row in rows {
            let given = given.entry((row.text("address")?, row.text("tag")?)).or_default();
            given.push((row.parsed("network")?, row.parsed("payment")?));
        }
        for (network, address) in some {
            let networks = networks_of_account(*network);
            for (at, payment) in
                given.get(&(address.0.to_owned(), address.1.to_owned())).into_iter().flatten()
            {
                let Some(rank) = networks.iter().position(|known| known == at) else { continue };
                let key = (*network, *address);
                if found.get(&key).is_none_or(|best| rank < best.rank) {
                    found.insert(key, FoundPayment { payment: *payment, rank });
                }
            }
        }
    }
    Ok(found)
}
